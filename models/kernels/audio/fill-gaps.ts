import type { PcmChunk } from '../../core/runtime/audio-codec.ts';
import { JITTER_SECONDS } from './shape-pcm.ts';

/** Decoded samples without the gaps between them. */
export interface TimedFrames {
  /** Time of the first sample, on the clock of the decoder. */
  readonly seconds: number;
  readonly frames: number;
}

/** Stretch of samples, by its first one and the one behind its last. */
export interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Fills the gaps between decoded stretches with silence.
 * @param channels samples of all stretches, one after the other
 * @param framesMax limit on the result, gaps included
 * @returns the samples, and where they are silence
 */
export function fillGaps(
  channels: PcmChunk,
  stretches: readonly TimedFrames[],
  sampleRate: number,
  framesMax: number,
): { readonly channels: PcmChunk; readonly gaps: readonly FrameRange[] } {
  const [first] = stretches;
  const length = channels[0]?.length ?? 0;
  const gaps: FrameRange[] = [];
  let read = 0;
  let filled = 0;
  for (const { seconds, frames } of stretches) {
    const at = Math.round((seconds - (first?.seconds ?? 0)) * sampleRate);
    const missing = Math.min(at - read - filled, framesMax - length - filled);
    if (missing > JITTER_SECONDS * sampleRate) {
      gaps.push({ from: read + filled, to: read + filled + missing });
      filled += missing;
    }
    read += frames;
  }
  if (gaps.length === 0) return { channels, gaps };
  return { channels: channels.map((samples) => spread(samples, gaps, length + filled)), gaps };
}

/** Copies samples into a longer array, around the gaps. */
function spread(
  samples: Float32Array,
  gaps: readonly FrameRange[],
  length: number,
): Float32Array<ArrayBuffer> {
  const spaced = new Float32Array(length);
  let read = 0;
  let written = 0;
  for (const { from, to } of gaps) {
    const count = from - written;
    spaced.set(samples.subarray(read, read + count), written);
    read += count;
    written = to;
  }
  spaced.set(samples.subarray(read, read + length - written), written);
  return spaced;
}

/**
 * Finds a stretch of samples that two decoded parts share.
 * @param tail last samples of the earlier part
 * @param samples later part
 * @param expected index in `samples` at which `tail` is expected to begin
 * @param range samples by which the true index may differ
 * @returns index of the smallest sum of absolute differences; the nearest to `expected` of several
 */
export function findOverlap(
  tail: Float32Array,
  samples: Float32Array,
  expected: number,
  range: number,
): number {
  const last = samples.length - tail.length;
  let [best, bestSum] = [Math.max(0, Math.min(expected, last)), Number.POSITIVE_INFINITY];
  for (let turn = 0; turn <= 2 * range; turn++) {
    const index = expected + (turn % 2 === 0 ? -turn / 2 : (turn + 1) / 2);
    if (index < 0 || index > last) continue;
    const sum = difference(tail, samples, index, bestSum);
    if (sum < bestSum) [best, bestSum] = [index, sum];
  }
  return best;
}

/** Adds up differences until they reach `sumMax`. */
function difference(tail: Float32Array, samples: Float32Array, index: number, sumMax: number): number {
  let sum = 0;
  for (let at = 0; at < tail.length && sum < sumMax; at++) {
    sum += Math.abs(tail[at] - samples[index + at]);
  }
  return sum;
}
