import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AV_LOG_QUIET,
  AV_NOPTS_VALUE,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  FormatContext,
  Frame,
  InputFormat,
  Log,
  Packet,
  type Stream,
} from 'node-av/lib';
import { ffmpegDemuxer } from '../../../models/files/audio/formats/ffmpeg-demuxers.ts';
import { toSampleError } from '../../../models/files/audio/read/to-sample-error.ts';
import type { AudioFacts } from '../../../models/runtime/audio-facts.ts';
import type { PcmPiece } from '../../../models/runtime/pcm.ts';
import { decodePieces, type PacketTime } from './decode-pieces.ts';
import { PieceClock } from './piece-clock.ts';

Log.setLevel(AV_LOG_QUIET);

/** Faults of the container in a row after which the rest of a file counts as missing. */
const FAULTS_MAX = 100;

/**
 * Decodes the audio of a file that mediabunny cannot read. FFmpeg reads paths only, so the file is copied to `path` and
 * deleted at the end.
 * @throws OperationError `unprocessable` when the file or all its packets are corrupt
 */
export async function* decodeFilePieces(
  file: Blob,
  facts: AudioFacts,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): AsyncGenerator<PcmPiece> {
  try {
    await pipeline(Readable.fromWeb(file.stream()), createWriteStream(path), { signal });
    using reader = new FileReader(path, ffmpegDemuxer(facts));
    yield* fromZero(
      decodePieces<Packet>({
        packets: reader.packets(),
        timeOf: (packet) => reader.timeOf(packet),
        decode: (packet) => reader.decode(packet),
      }),
    );
  } catch (thrown) {
    throw toSampleError(thrown);
  } finally {
    await rm(path, { force: true });
  }
}

/** Moves the first sample to time 0, as FFmpeg's program does, which decodes on the device. */
async function* fromZero(pieces: AsyncIterable<PcmPiece>): AsyncGenerator<PcmPiece> {
  let origin: number | null = null;
  for await (const piece of pieces) {
    origin ??= piece.timestampSeconds;
    yield { ...piece, timestampSeconds: piece.timestampSeconds - origin };
  }
}

class FileReader implements Disposable {
  readonly #format = new FormatContext();
  readonly #decoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  readonly #stream: Stream;
  readonly #tickSeconds: number;
  readonly #clock: PieceClock;

  constructor(path: string, demuxer: string) {
    this.#packet.alloc();
    this.#frame.alloc();
    orThrow(this.#format.openInputSync(path, InputFormat.findInputFormat(demuxer)));
    orThrow(this.#format.findStreamInfoSync());
    const stream = this.#format.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
    const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
    if (!stream || !codec) throw new Error('no decoder for it');
    this.#stream = stream;
    this.#tickSeconds = stream.timeBase.num / stream.timeBase.den;
    this.#clock = new PieceClock(this.#tickSeconds);
    this.#decoder.allocContext3(codec);
    orThrow(this.#decoder.parametersToContext(stream.codecpar));
    this.#decoder.pktTimebase = stream.timeBase;
    orThrow(this.#decoder.open2Sync(codec));
  }

  /** Iterates over the packets of the audio; each is valid until the next one. */
  async *packets(): AsyncGenerator<Packet | null> {
    let faults = 0;
    for (;;) {
      const code = this.#format.readFrameSync(this.#packet);
      if (code === AVERROR_EOF || (code < 0 && ++faults > FAULTS_MAX)) break;
      if (code < 0) continue;
      faults = 0;
      if (this.#packet.streamIndex === this.#stream.index) yield this.#packet;
      this.#packet.unref();
    }
    yield null;
  }

  timeOf({ pts, duration }: Packet): PacketTime {
    const seconds = pts === AV_NOPTS_VALUE ? this.#clock.endSeconds : Number(pts) * this.#tickSeconds;
    return { seconds, durationSeconds: Number(duration) * this.#tickSeconds };
  }

  decode(packet: Packet | null): PcmPiece[] {
    orThrow(this.#decoder.sendPacketSync(packet));
    const pieces: PcmPiece[] = [];
    for (;;) {
      const code = this.#decoder.receiveFrameSync(this.#frame);
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return pieces;
      orThrow(code);
      pieces.push(this.#clock.pieceOf(this.#frame));
      this.#frame.unref();
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#frame.free();
    this.#decoder.freeContext();
    this.#format.closeInputSync();
  }
}

function orThrow(code: number): void {
  if (code < 0) throw new Error(`FFmpeg's code ${code}`);
}
