import type { FFmpeg } from '@ffmpeg/ffmpeg';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { AudioFacts } from '../../../models/core/runtime/audio-facts.ts';
import type { PcmChunk } from '../../../models/core/runtime/pcm.ts';
import { type FrameRange, fillGaps, type TimedFrames } from '../../../models/kernels/audio/fill-gaps.ts';
import {
  ffmpegDemuxer,
  hasChecksums,
  REFUSE_WRONG_CHECKSUMS,
} from '../../../models/media/audio/formats/ffmpeg-demuxers.ts';
import { ONE_THREAD } from '../ffmpeg/read-with-ffmpeg.ts';

/** Longest part, with gaps that are filled. */
const PART_SECONDS_MAX = 150;
export const FOLDER = '/input';
const NAME = 'audio';
const OUTPUT = 'samples';

/** Samples of a part, with silence in place of what could not be decoded. */
export interface DecodedPart {
  readonly channels: PcmChunk;
  /** Silence in place of damaged samples. */
  readonly damaged: readonly FrameRange[];
  /** Error that has ended decoding early. */
  readonly fault: OperationError | null;
}

/** Part of a file that one run of FFmpeg decodes. */
export interface Part {
  readonly file: Blob;
  readonly seekSeconds: number;
  /** Length to decode; the rest of `file` when null. */
  readonly lengthSeconds: number | null;
}

/** Line of FFmpeg's filter `ashowinfo` about decoded samples. */
const SAMPLES_LINE = /pts_time:(-?[\d.]+).* nb_samples:(\d+)/;
const FAULT_LINE = /\[(error|fatal)\]/;

/**
 * Decodes a part with one run of FFmpeg. What cannot be decoded becomes silence of its length.
 * @param source facts of the file, and whether gaps in it are damage even where FFmpeg reports none
 * @throws OperationError `unprocessable` when nothing can be decoded
 */
export async function decodePart(
  ffmpeg: FFmpeg,
  { facts, areGapsDamage }: { readonly facts: AudioFacts; readonly areGapsDamage: boolean },
  { file, seekSeconds, lengthSeconds }: Part,
): Promise<DecodedPart> {
  const { sampleRate } = facts;
  // FFmpeg knows which speakers the channels are for, and mixes them as `mixChannels` does. It guesses those of AAC
  // that lists its channels one by one.
  const channelCount = facts.codec === 'aac' ? facts.channelCount : Math.min(2, facts.channelCount);
  await ffmpeg.mount('WORKERFS' as never, { blobs: [{ name: NAME, data: file }] }, FOLDER);
  const stretches: TimedFrames[] = [];
  let faultLine: string | null = null;
  const readLine = ({ message }: { message: string }) => {
    const [, seconds, frames] = SAMPLES_LINE.exec(message) ?? [];
    if (frames !== undefined) stretches.push({ seconds: Number(seconds), frames: Number(frames) });
    else if (FAULT_LINE.test(message)) faultLine = message;
  };
  ffmpeg.on('log', readLine);
  const demuxer = ffmpegDemuxer(facts);
  const code = await ffmpeg.exec([
    ...['-v', 'level+info', '-nostats', '-filter_threads', '1', ...ONE_THREAD, '-f', demuxer],
    ...(hasChecksums(demuxer) ? ['-err_detect', REFUSE_WRONG_CHECKSUMS] : []),
    ...(seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(6)] : []),
    ...['-i', `${FOLDER}/${NAME}`, '-map', `0:a:${(facts.track?.number ?? 1) - 1}`, ...ONE_THREAD],
    ...['-af', `aresample=${sampleRate},ashowinfo`, '-f', 'f32le', '-c:a', 'pcm_f32le'],
    ...(lengthSeconds === null ? [] : ['-t', lengthSeconds.toFixed(6)]),
    ...['-ar', String(sampleRate), '-ac', String(channelCount), OUTPUT],
  ]);
  ffmpeg.off('log', readLine);
  const fault =
    code === 0
      ? null
      : new OperationError('unprocessable', 'The audio is damaged. Export it again.', { cause: faultLine });
  const bytes = await ffmpeg.readFile(OUTPUT).catch((thrown: unknown) => {
    throw fault ?? thrown;
  });
  await ffmpeg.deleteFile(OUTPUT);
  await ffmpeg.unmount(FOLDER);
  const whole = bytes.length - (bytes.length % (4 * channelCount));
  const samples = new Float32Array((bytes as Uint8Array<ArrayBuffer>).buffer, 0, whole / 4);
  const framesMax = Math.max(samples.length / channelCount, PART_SECONDS_MAX * sampleRate);
  const { channels, gaps } = fillGaps(planesOf(samples, channelCount), stretches, sampleRate, framesMax);
  return { channels, damaged: faultLine === null && !areGapsDamage ? [] : gaps, fault };
}

function planesOf(interleaved: Float32Array, channelCount: number): Float32Array<ArrayBuffer>[] {
  const length = Math.floor(interleaved.length / channelCount);
  return Array.from({ length: channelCount }, (_, channel) => {
    const samples = new Float32Array(length);
    for (let at = 0, from = channel; at < length; at++, from += channelCount) {
      samples[at] = interleaved[from];
    }
    return samples;
  });
}
