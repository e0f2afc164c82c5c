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
import { PieceClock } from './decode-packets.ts';

Log.setLevel(AV_LOG_QUIET);

/**
 * Decodes the audio of a file that mediabunny cannot read. FFmpeg reads paths only, so the file is copied to `path` and
 * deleted at the end.
 * @throws OperationError `unprocessable` when the file or its packets are corrupt
 */
export async function* decodeFilePieces(
  file: Blob,
  facts: AudioFacts,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): AsyncGenerator<PcmPiece> {
  try {
    await pipeline(Readable.fromWeb(file.stream()), createWriteStream(path), { signal });
    using reader = new FileReader(path, ffmpegDemuxer(facts));
    yield* reader.pieces();
  } catch (thrown) {
    throw toSampleError(thrown);
  } finally {
    await rm(path, { force: true });
  }
}

class FileReader implements Disposable {
  readonly #format = new FormatContext();
  readonly #decoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  readonly #stream: Stream;

  constructor(path: string, demuxer: string) {
    this.#packet.alloc();
    this.#frame.alloc();
    orThrow(this.#format.openInputSync(path, InputFormat.findInputFormat(demuxer)));
    orThrow(this.#format.findStreamInfoSync());
    const stream = this.#format.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
    const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
    if (!stream || !codec) throw new Error('no decoder for it');
    this.#stream = stream;
    this.#decoder.allocContext3(codec);
    orThrow(this.#decoder.parametersToContext(stream.codecpar));
    this.#decoder.pktTimebase = stream.timeBase;
    orThrow(this.#decoder.open2Sync(codec));
  }

  *pieces(): Generator<PcmPiece, void, undefined> {
    const { num, den } = this.#stream.timeBase;
    // Times begin at the first sample, as in FFmpeg's program, which decodes on the device.
    let clock: PieceClock | null = null;
    for (;;) {
      const code = this.#format.readFrameSync(this.#packet);
      if (code !== AVERROR_EOF) orThrow(code);
      const isEnd = code === AVERROR_EOF;
      if (isEnd || this.#packet.streamIndex === this.#stream.index) {
        orThrow(this.#decoder.sendPacketSync(isEnd ? null : this.#packet));
        for (const frame of this.#frames()) {
          clock ??= new PieceClock(frame.pts === AV_NOPTS_VALUE ? 0 : Number(frame.pts) * (num / den));
          yield clock.pieceOf(frame, num / den);
        }
      }
      this.#packet.unref();
      if (isEnd) return;
    }
  }

  *#frames(): Generator<Frame, void, undefined> {
    for (;;) {
      const code = this.#decoder.receiveFrameSync(this.#frame);
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return;
      orThrow(code);
      yield this.#frame;
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
