import { EncodedPacketSink, type InputAudioTrack } from 'mediabunny';
import { type AudioCodec, getFrameCount, type PcmPiece } from '../../../models/core/runtime/audio-codec.ts';
import { decodeAudio } from '../../../models/media/audio/read/decode-audio.ts';
import { provideFfmpeg } from '../../../models/media/audio/read/measure-file.ts';
import { probeAudio } from '../../../models/media/audio/read/probe-audio.ts';
import { opusPacketFrames, samplePieces } from '../../../models/media/audio/read/sample-pieces.ts';
import type { ByteStore } from '../../../models/media/audio/write-audio.ts';
import { writeAudio } from '../../../models/media/audio/write-audio.ts';
import type { Loading } from '../assets.ts';
import { decodeWithFfmpeg } from './decode-audio-with-ffmpeg.ts';
import { assertCanRunFfmpeg } from './load-ffmpeg.ts';
import { FileMeter } from './measure-file.ts';
import { openWebEncoder } from './web-encoder.ts';

/** Bytes that are collected for one blob. */
const PART_BYTES = 4_194_304;

/**
 * Creates the audio codec for the browser: mediabunny and WebCodecs first, ffmpeg.wasm for formats that they cannot
 * decode.
 */
export function createAudioCodec(loading: Loading): AudioCodec {
  provideFfmpeg(async (file, { signal = loading.signal, ...options }) => {
    const meter = new FileMeter();
    return await meter.measure(file, options, { ...loading, signal }).finally(() => meter.end());
  });
  return {
    probe: probeAudio,
    decode: (input, options) =>
      decodeAudio(input, options, async ({ track, ...link }) => {
        if (track && (await track.canDecode())) return () => withPreSkip(track, samplePieces(track));
        assertCanRunFfmpeg(`Decoding ${link.facts.codec ?? link.facts.container}`);
        return () => decodeWithFfmpeg(link, { ...loading, signal: options.signal });
      }),
    encode: (chunks, options) => writeAudio(chunks, options, new BlobStore(), openWebEncoder),
  };
}

/** Inserts silence for the samples that some browsers drop from the first Opus packet, whose times count them. */
async function* withPreSkip(
  track: InputAudioTrack,
  pieces: AsyncIterable<PcmPiece>,
): AsyncGenerator<PcmPiece> {
  const isOpus = (await track.getCodec()) === 'opus';
  const packet = isOpus ? await new EncodedPacketSink(track).getFirstPacket() : null;
  let missing = packet ? opusPacketFrames(packet.data) : 0;
  for await (const piece of pieces) {
    const dropped = missing - getFrameCount(piece.channels);
    if (missing > 0 && dropped > 0) {
      yield { ...piece, channels: piece.channels.map(() => new Float32Array(dropped)) };
      yield { ...piece, timestampSeconds: piece.timestampSeconds + dropped / piece.sampleRate };
    } else yield piece;
    missing = 0;
  }
}

/** File made of blobs, which the browser moves to the disk when they become large. */
class BlobStore implements ByteStore {
  #parts: Blob[] = [];
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #waitingBytes = 0;

  async append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes < PART_BYTES) return;
    this.#parts.push(new Blob(this.#waiting));
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  async finish(head: Uint8Array<ArrayBuffer>, mediaType: string): Promise<Blob> {
    return new Blob([head, ...this.#parts, ...this.#waiting], { type: mediaType });
  }

  async discard(): Promise<void> {
    this.#parts = [];
    this.#waiting = [];
  }
}
