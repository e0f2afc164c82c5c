import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  AV_LOG_QUIET,
  AV_NOPTS_VALUE,
  AV_OPT_TYPE_STRING,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  FFmpegError,
  FormatContext,
  Frame,
  InputFormat,
  Log,
  Packet,
  type Stream,
} from 'node-av/lib';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { hasChecksums, REFUSE_WRONG_CHECKSUMS } from '../../../models/media/audio/formats/ffmpeg-demuxers.ts';

Log.setLevel(AV_LOG_QUIET);

const MEDIA_TYPES = { audio: AVMEDIA_TYPE_AUDIO, video: AVMEDIA_TYPE_VIDEO } as const;
/** Faults of the container in a row after which the rest of a file counts as missing. */
const FAULTS_MAX = 100;
/** Threads of a decoder. With two, FFmpeg (8.0) loses every second frame of audio behind frames that it leaves out. */
const THREADS = { audio: 1, video: 2 } as const;

export interface FileStream {
  /** FFmpeg's name of the container. FFmpeg must not guess it, since some of its formats open other files. */
  readonly demuxer: string;
  readonly media: keyof typeof MEDIA_TYPES;
  /** Position among the streams of that kind. Defaults to the first. */
  readonly index?: number;
}

/**
 * Copies a file to a path, which FFmpeg needs, while `read` yields from it; deletes it at the end.
 * @throws the signal's reason once aborted
 */
export async function* readSpooled<Item>(
  file: Blob,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
  read: (path: string) => AsyncIterable<Item> | Iterable<Item>,
): AsyncGenerator<Item> {
  try {
    await pipeline(getChunks(file), createWriteStream(path), { signal });
    yield* read(path);
  } finally {
    await rm(path, { force: true });
  }
}

const CHUNK_BYTES = 1 << 20;

async function* getChunks(file: Blob): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < file.size; from += CHUNK_BYTES) {
    yield new Uint8Array(await file.slice(from, from + CHUNK_BYTES).arrayBuffer());
  }
}

/** FFmpeg's demuxer of a file, and its decoder for one stream. */
export class FileReader implements Disposable {
  readonly #format = new FormatContext();
  readonly #decoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  readonly #stream: Stream;

  /** @throws FFmpegError when FFmpeg cannot open the file; OperationError when it has no decoder for the stream */
  constructor(path: string, stream: FileStream) {
    try {
      this.#stream = this.#open(path, stream);
    } catch (thrown) {
      this[Symbol.dispose]();
      throw thrown;
    }
  }

  #open(path: string, { demuxer, media, index = 0 }: FileStream): Stream {
    this.#packet.alloc();
    this.#frame.alloc();
    FFmpegError.throwIfError(
      this.#format.openInputSync(path, InputFormat.findInputFormat(demuxer)),
      'open the file',
    );
    FFmpegError.throwIfError(this.#format.findStreamInfoSync(), 'read its header');
    const kind = MEDIA_TYPES[media];
    const stream = this.#format.streams.filter(({ codecpar }) => codecpar.codecType === kind)[index];
    const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
    if (!stream || !codec) {
      throw new OperationError('unprocessable', 'The file is encoded as an unknown codec.');
    }
    this.#decoder.allocContext3(codec);
    FFmpegError.throwIfError(this.#decoder.parametersToContext(stream.codecpar), 'set up the decoder');
    this.#decoder.pktTimebase = stream.timeBase;
    this.#decoder.threadCount = THREADS[media];
    if (hasChecksums(demuxer)) {
      this.#decoder.setOption('err_detect', REFUSE_WRONG_CHECKSUMS, AV_OPT_TYPE_STRING);
    }
    FFmpegError.throwIfError(this.#decoder.open2Sync(codec), 'open the decoder');
    return stream;
  }

  /** Time of the earliest packet of all streams, in microseconds. */
  get startTime(): bigint {
    const { startTime } = this.#format;
    return startTime === AV_NOPTS_VALUE ? 0n : startTime;
  }

  /**
   * Yields the frames of the stream with times in microseconds, each valid until the next.
   * @throws FFmpegError when a packet is corrupt
   */
  *frames(): Generator<Frame, void, undefined> {
    for (const packet of this.packets()) yield* this.decode(packet);
  }

  /** Yields the packets of the stream, each valid until the next, then null. Skips what FFmpeg cannot read. */
  *packets(): Generator<Packet | null, void, undefined> {
    let faults = 0;
    for (;;) {
      const code = this.#format.readFrameSync(this.#packet);
      if (code === AVERROR_EOF) break;
      if (code < 0 && ++faults > FAULTS_MAX) break;
      if (code < 0) continue;
      faults = 0;
      if (this.#packet.streamIndex === this.#stream.index) yield this.#packet;
      this.#packet.unref();
    }
    yield null;
  }

  /** Returns the time and length of a packet in seconds; null for one without a time. */
  getTime({ pts, duration }: Packet): { seconds: number; durationSeconds: number } | null {
    const { num, den } = this.#stream.timeBase;
    if (pts === AV_NOPTS_VALUE) return null;
    return { seconds: (Number(pts) * num) / den, durationSeconds: (Number(duration) * num) / den };
  }

  /** Decodes a packet, or flushes with null. @throws FFmpegError when it is corrupt */
  *decode(packet: Packet | null): Generator<Frame, void, undefined> {
    FFmpegError.throwIfError(this.#decoder.sendPacketSync(packet), 'decode');
    const { num, den } = this.#stream.timeBase;
    const toMicroseconds = (time: bigint) => BigInt(Math.round((Number(time) * num * 1e6) / den));
    for (;;) {
      const code = this.#decoder.receiveFrameSync(this.#frame);
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return;
      FFmpegError.throwIfError(code, 'decode');
      const { pts, bestEffortTimestamp, duration } = this.#frame;
      const time = pts === AV_NOPTS_VALUE ? bestEffortTimestamp : pts;
      if (time !== AV_NOPTS_VALUE) this.#frame.pts = toMicroseconds(time);
      this.#frame.duration = toMicroseconds(duration);
      yield this.#frame;
      this.#frame.unref();
    }
  }

  /** Leaves out what the decoder holds of the packets so far. */
  flush(): void {
    this.#decoder.flushBuffers();
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#frame.free();
    this.#decoder.freeContext();
    this.#format.closeInputSync();
  }
}
