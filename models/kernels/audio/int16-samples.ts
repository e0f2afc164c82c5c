import { frameCountOf, type PcmChunk } from '../../core/runtime/pcm.ts';

/**
 * Converts a chunk to the 16-bit samples of a WAV file: interleaved, little-endian, rounded to the nearest, clipped at
 * full scale.
 */
export function int16Samples(chunk: PcmChunk): Uint8Array<ArrayBuffer> {
  const [frames, channelCount] = [frameCountOf(chunk), chunk.length];
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
