import { fieldError } from '../../core/operation/errors.ts';
import {
  type AudioEncodeOptions,
  getFrameCount,
  type PcmChunk,
  type PcmFormat,
} from '../../core/runtime/audio-codec.ts';
import { crc16 } from '../bytes/checksums.ts';
import { writeFlacHead } from './formats/flac.ts';
import { assertMp3Rate, mp3InfoFrame } from './formats/mp3.ts';
import { assertFormat } from './formats/raw-audio.ts';

const HEAD_BYTES = 44;
const SAMPLE_BYTES = 2;
/** Sizes are 32 bits. */
const DATA_BYTES_MAX = 2 ** 32 - 1 - HEAD_BYTES;

/** File that is being written: its head last, all other bytes first. It is on the disk where there is one. */
export interface ByteStore {
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Returns the file: `head`, then all appended bytes. */
  finish(head: Uint8Array<ArrayBuffer>, mediaType: string): Promise<Blob>;
  /** Frees the appended bytes when no file is made of them. */
  discard(): Promise<void>;
}

/** Gain that LAME applies at a constant 192 kbps (`apply_abr_preset`). Neither of its bindings can turn it off. */
const LAME_GAIN = 0.97;

/** Codecs whose encoders a side brings: LAME at a constant 192 kbps, and FLAC of 16 bits. */
export type EncodedCodec = 'mp3' | 'flac';

/** Encoder of one file. */
export interface AudioEncoder {
  /** Encodes a chunk, or ends the stream with null. Returns the frames that are complete by then. */
  encode(chunk: PcmChunk | null): Promise<Uint8Array<ArrayBuffer>[]>;
  /** Returns the STREAMINFO of FLAC as it was before the first sample (RFC 9639, 8.2); null for MP3, and without samples. */
  streamInfo(): Uint8Array<ArrayBuffer> | null;
  close(): void;
}

/** Opens an encoder. */
export type OpenAudioEncoder = (codec: EncodedCodec, format: PcmFormat) => Promise<AudioEncoder>;

/**
 * Writes chunks to a store as a file of exactly as many frames. Server and device bring a store and encoders of their
 * own.
 * @throws OperationError `bad_request` for a format out of range, or an MP3 at another rate than 32, 44.1 or 48 kHz;
 *   `unprocessable` for a WAV of more than 4 GB
 */
export async function writeAudio(
  chunks: AsyncIterable<PcmChunk>,
  options: AudioEncodeOptions,
  store: ByteStore,
  openEncoder: OpenAudioEncoder,
): Promise<Blob> {
  try {
    assertFormat(options);
    switch (options.format) {
      case 'wav':
        return await writeWav(chunks, options, store);
      case 'flac':
        return await writeFlac(chunks, options, store, openEncoder);
      case 'mp3':
        return await writeMp3(chunks, options, store, openEncoder);
    }
  } catch (thrown) {
    await store.discard();
    throw thrown;
  }
}

async function writeWav(
  chunks: AsyncIterable<PcmChunk>,
  options: AudioEncodeOptions,
  store: ByteStore,
): Promise<Blob> {
  let dataBytes = 0;
  for await (const chunk of chunks) {
    options.signal.throwIfAborted();
    assertChannels(chunk, options);
    const bytes = int16Samples(chunk);
    dataBytes += bytes.length;
    assertFitsWav(dataBytes);
    await store.append(bytes);
  }
  return store.finish(writeWavHeader(options, dataBytes), 'audio/wav');
}

async function writeFlac(
  chunks: AsyncIterable<PcmChunk>,
  options: AudioEncodeOptions,
  store: ByteStore,
  openEncoder: OpenAudioEncoder,
): Promise<Blob> {
  let samples = 0;
  const info = await encodeFrames(chunks, options, await openEncoder('flac', options), {
    onChunk(chunk) {
      samples += getFrameCount(chunk);
      return chunk;
    },
    onFrame: (frame) => store.append(frame),
  });
  if (!info) throw new RangeError('a FLAC file without samples');
  return store.finish(writeFlacHead(info, samples), 'audio/flac');
}

async function writeMp3(
  chunks: AsyncIterable<PcmChunk>,
  options: AudioEncodeOptions,
  store: ByteStore,
  openEncoder: OpenAudioEncoder,
): Promise<Blob> {
  assertMp3Rate(options.sampleRate);
  const stream = { frames: 0, bytes: 0, checksum: 0, samples: 0 };
  await encodeFrames(chunks, options, await openEncoder('mp3', options), {
    onChunk(chunk) {
      stream.samples += getFrameCount(chunk);
      return levelled(chunk);
    },
    async onFrame(frame) {
      stream.frames += 1;
      stream.bytes += frame.length;
      stream.checksum = crc16(frame, stream.checksum);
      await store.append(frame);
    },
  });
  return store.finish(mp3InfoFrame(options, stream), 'audio/mpeg');
}

/** Encodes chunks, each as `onChunk` returns it. Resolves to the encoder's STREAMINFO, and closes the encoder. */
async function encodeFrames(
  chunks: AsyncIterable<PcmChunk>,
  options: AudioEncodeOptions,
  encoder: AudioEncoder,
  {
    onChunk,
    onFrame,
  }: {
    readonly onChunk: (chunk: PcmChunk) => PcmChunk;
    readonly onFrame: (frame: Uint8Array<ArrayBuffer>) => Promise<void>;
  },
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    for await (const chunk of chunks) {
      options.signal.throwIfAborted();
      assertChannels(chunk, options);
      for (const frame of await encoder.encode(onChunk(chunk))) await onFrame(frame);
    }
    for (const frame of await encoder.encode(null)) await onFrame(frame);
    return encoder.streamInfo();
  } finally {
    encoder.close();
  }
}

function assertChannels(chunk: PcmChunk, { channelCount }: PcmFormat): void {
  if (chunk.length !== channelCount)
    throw new RangeError(`a chunk of ${chunk.length} channels in ${channelCount}`);
}

/** Clips at full scale, since encoders differ in their treatment of higher peaks, and cancels LAME's gain. */
function levelled(chunk: PcmChunk): PcmChunk {
  return chunk.map((samples) => samples.map((sample) => Math.max(-1, Math.min(1, sample)) / LAME_GAIN));
}

/**
 * Converts a chunk to the 16-bit samples of a WAV or FLAC file: interleaved, little-endian, rounded to the nearest,
 * clipped at full scale.
 */
export function int16Samples(chunk: PcmChunk): Uint8Array<ArrayBuffer> {
  const [frames, channelCount] = [getFrameCount(chunk), chunk.length];
  const bytes = new Uint8Array(frames * channelCount * 2);
  chunk.forEach((samples, channel) => {
    for (let at = 0, to = channel * 2; at < frames; at++, to += channelCount * 2) {
      const scaled = Math.round(samples[at] * 32_768);
      const sample = scaled > 32_767 ? 32_767 : scaled < -32_768 ? -32_768 : scaled;
      bytes[to] = sample;
      bytes[to + 1] = sample >> 8;
    }
  });
  return bytes;
}

/** Makes the head of a WAV file with `dataBytes` bytes of 16-bit samples (RIFF, IBM and Microsoft, 1991). */
export function writeWavHeader(
  { sampleRate, channelCount }: PcmFormat,
  dataBytes: number,
): Uint8Array<ArrayBuffer> {
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  const text = (at: number, letters: string) => {
    for (let index = 0; index < 4; index++) head.setUint8(at + index, letters.charCodeAt(index));
  };
  text(0, 'RIFF');
  head.setUint32(4, HEAD_BYTES - 8 + dataBytes, true);
  text(8, 'WAVE');
  text(12, 'fmt ');
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, channelCount, true);
  head.setUint32(24, sampleRate, true);
  head.setUint32(28, sampleRate * channelCount * SAMPLE_BYTES, true);
  head.setUint16(32, channelCount * SAMPLE_BYTES, true);
  head.setUint16(34, SAMPLE_BYTES * 8, true);
  text(36, 'data');
  head.setUint32(40, dataBytes, true);
  return new Uint8Array(head.buffer);
}

/** Checks a length. @throws OperationError `unprocessable` when samples do not fit into a WAV file */
function assertFitsWav(dataBytes: number): void {
  if (dataBytes <= DATA_BYTES_MAX) return;
  throw fieldError('output_format', 'a WAV file holds at most 4 GB, and this audio needs more. Use mp3.', {
    code: 'unprocessable',
  });
}
