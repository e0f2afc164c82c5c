import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_LOG_QUIET,
  AV_NOPTS_VALUE,
  AV_PKT_FLAG_CORRUPT,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import {
  avGetCodecName,
  FFmpegError,
  FormatContext,
  InputFormat,
  Log,
  Packet,
  type Stream,
} from 'node-av/lib';
import {
  type MeasuredFile,
  type MeasuredStream,
  type MeasureFile,
  type MeasureOptions,
  PacketTimes,
} from '../../models/media/audio/read/measure-file.ts';
import { damagedAudio } from '../../models/media/bytes/byte-reader.ts';
import { getPath } from './open-file.ts';
import { makeOwnFolder, removeOwnFolder } from './own-folders.ts';

Log.setLevel(AV_LOG_QUIET);

/** Faults of the container in a row after which the rest of a file counts as missing. */
const FAULTS_MAX = 100;

/** Measures a file by node-av. FFmpeg reads paths only: what is only a part of a file is copied for it. */
export const measureFile: MeasureFile = async (file, options) => {
  const known = getPath(file);
  if (known !== undefined) return measurePath(known, options);
  const folder = makeOwnFolder(tmpdir());
  try {
    const path = join(folder, 'file');
    const { signal } = options;
    const bytes = Readable.fromWeb(file.stream() as ReadableStream);
    await pipeline(bytes, createWriteStream(path), { ...(signal && { signal }) });
    return measurePath(path, options);
  } finally {
    removeOwnFolder(folder);
  }
};

function measurePath(path: string, { demuxer, secondsMax }: MeasureOptions): MeasuredFile {
  const format = new FormatContext();
  const packet = new Packet();
  packet.alloc();
  try {
    FFmpegError.throwIfError(format.openInputSync(path, InputFormat.findInputFormat(demuxer)), 'open');
    FFmpegError.throwIfError(format.findStreamInfoSync(), 'read the header');
    const streams = new Map(format.streams.flatMap((stream) => describeStream(stream) ?? []));
    const audio = [...streams.values()].filter(({ isAudio }) => isAudio);
    // A video has packets before those of the sound of the same time.
    const isTooLong = ({ times }: OpenStream) => times.endSeconds > secondsMax + (times.startSeconds ?? 0);
    for (let faults = 0; faults <= FAULTS_MAX && !audio.every(isTooLong); ) {
      const code = format.readFrameSync(packet);
      if (code === AVERROR_EOF) break;
      faults = code < 0 ? faults + 1 : 0;
      if (code < 0) continue;
      const found = streams.get(packet.streamIndex);
      const time = found && toSeconds(packet.pts, found.stream);
      if (found) {
        const isCorrupt = packet.hasFlags(AV_PKT_FLAG_CORRUPT);
        found.times.add(time ?? null, toSeconds(packet.duration, found.stream) ?? 0, isCorrupt);
      }
      packet.unref();
    }
    const encoder = format.metadata?.get('encoder') ?? '';
    return { streams: [...streams.values()].map(({ stream: _, ...measured }) => measured), encoder };
  } catch (thrown) {
    throw thrown instanceof FFmpegError ? damagedAudio('its header makes no sense', thrown) : thrown;
  } finally {
    packet.free();
    format.closeInputSync();
  }
}

type OpenStream = MeasuredStream & { readonly stream: Stream; readonly times: PacketTimes };

/** Describes a stream by its index; null for subtitles, data and cover images. */
function describeStream(stream: Stream): [number, OpenStream][] | null {
  const { codecpar, index, disposition, metadata } = stream;
  const isAudio = codecpar.codecType === AVMEDIA_TYPE_AUDIO;
  const isVideo = codecpar.codecType === AVMEDIA_TYPE_VIDEO && !(disposition & AV_DISPOSITION_ATTACHED_PIC);
  if (!isAudio && !isVideo) return null;
  return [
    [
      index,
      {
        stream,
        isAudio,
        codec: avGetCodecName(codecpar.codecId) ?? '',
        sampleRate: codecpar.sampleRate,
        channelCount: codecpar.channels,
        name: metadata?.get('title') ?? '',
        declaredSeconds: toSeconds(stream.duration, stream),
        times: new PacketTimes(),
      },
    ],
  ];
}

function toSeconds(time: bigint, { timeBase: { num, den } }: Stream): number | null {
  return time === AV_NOPTS_VALUE ? null : (Number(time) * num) / den;
}
