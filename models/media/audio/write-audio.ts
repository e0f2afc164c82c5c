import { fieldError } from '../../core/operation/errors.ts';
import {
  type AudioEncodeOptions,
  getFrameCount,
  type PcmChunk,
  type PcmFormat,
} from '../../core/runtime/audio-codec.ts';
import { crc16 } from '../bytes/checksums.ts';
import { assertMp3Rate, mp3InfoFrame } from './formats/mp3.ts';
import { assertFormat } from './formats/raw-audio.ts';
import { FlacEncoder } from './write-flac.ts';

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

/** LAME encoder of one file. */
export interface Mp3Encoder {
  /** Encodes a chunk, or ends the stream with null. Returns the MP3 frames that are complete by then. */
  encode(chunk: PcmChunk | null): Promise<Uint8Array<ArrayBuffer>[]>;
  close(): void;
}

/** Opens LAME at a constant 192 kbps. */
export type OpenMp3Encoder = (format: PcmFormat) => Promise<Mp3Encoder>;

/**
 * Writes chunks to a store as a file of exactly as many frames. Server and device bring a store and a LAME of their
 * own.
 * @throws OperationError `bad_request` for a format out of range, or an MP3 at another rate than 32, 44.1 or 48 kHz;
 *   `unprocessable` for a WAV of more than 4 GB
 */
export async function writeAudio(
  chunks: AsyncIterable<PcmChunk>,
  options: AudioEncodeOptions,
  store: ByteStore,
  openMp3: OpenMp3Encoder,
): Promise<Blob> {
  try {
    assertFormat(options);
    switch (options.format) {
      case 'wav':
        return await writeWav(chunks, options, store);
      case 'flac':
        return await writeFlac(chunks, options, store);
      case 'mp3':
        return await writeMp3(chunks, options, store, openMp3);
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
): Promise<Blob> {
  const encoder = new FlacEncoder(options);
  for await (const chunk of chunks) {
    options.signal.throwIfAborted();
    assertChannels(chunk, options);
    for (const frame of encoder.encode(chunk)) await store.append(frame);
  }
  for (const frame of encoder.encode(null)) await store.append(frame);
  return store.finish(encoder.head(), 'audio/flac');
}

async function writeMp3(
  chunks: AsyncIterable<PcmChunk>,
  options: AudioEncodeOptions,
  store: ByteStore,
  openMp3: OpenMp3Encoder,
): Promise<Blob> {
  assertMp3Rate(options.sampleRate);
  const encoder = await openMp3(options);
  const stream = { frames: 0, bytes: 0, checksum: 0, samples: 0 };
  const write = async (frames: readonly Uint8Array<ArrayBuffer>[]) => {
    for (const frame of frames) {
      stream.frames += 1;
      stream.bytes += frame.length;
      stream.checksum = crc16(frame, stream.checksum);
      await store.append(frame);
    }
  };
  try {
    for await (const chunk of chunks) {
      options.signal.throwIfAborted();
      assertChannels(chunk, options);
      stream.samples += getFrameCount(chunk);
      await write(await encoder.encode(levelled(chunk)));
    }
    await write(await encoder.encode(null));
  } finally {
    encoder.close();
  }
  return store.finish(mp3InfoFrame(options, stream), 'audio/mpeg');
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
 * Converts a chunk to the 16-bit samples of a WAV file: interleaved, little-endian, rounded to the nearest, clipped at
 * full scale.
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
