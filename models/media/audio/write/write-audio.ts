import type { AudioEncodeOptions } from '../../../core/runtime/audio-codec.ts';
import { frameCountOf, type PcmChunk, type PcmFormat } from '../../../core/runtime/pcm.ts';
import { int16Samples } from '../../../kernels/audio/int16-samples.ts';
import { crc16 } from '../../bytes/crc16.ts';
import { assertFormat } from '../formats/assert-format.ts';
import { assertMp3Rate, mp3InfoFrame } from '../mp3/mp3-info-frame.ts';
import type { ByteStore } from './byte-store.ts';
import { assertFitsWav, writeWavHeader } from './wav-header.ts';

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
    return options.format === 'wav'
      ? await writeWav(chunks, options, store)
      : await writeMp3(chunks, options, store, openMp3);
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
      stream.samples += frameCountOf(chunk);
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
