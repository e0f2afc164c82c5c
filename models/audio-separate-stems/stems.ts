import type { PcmChunk } from '../runtime/pcm.ts';

/** Stems of a result, in the order of its files. The last one is all that the others leave. */
export const STEM_NAMES = {
  two: ['vocals', 'no_vocals'],
  four: ['vocals', 'drums', 'bass', 'other'],
} as const;

export type StemCount = keyof typeof STEM_NAMES;

/** Sample rate of separation and results, in Hz. */
export const STEM_RATE = 44_100;

/** Stretch of sound with the estimates of all stems but the last one. All are stereo and equally long. */
export interface SeparatedChunk {
  readonly mixture: PcmChunk;
  readonly stems: readonly PcmChunk[];
}

/**
 * Completes a stretch: limits each estimate to full scale, and makes the last stem of all that they leave, so that
 * files of 16 bits add up to the mixture.
 */
export function completeStems({ mixture, stems }: SeparatedChunk): PcmChunk[] {
  for (const samples of stems.flat()) {
    for (let at = 0; at < samples.length; at++) {
      const sample = samples[at] as number;
      samples[at] = sample > 1 ? 1 : sample < -1 ? -1 : sample;
    }
  }
  const rest = mixture.map((samples, channel) => {
    const left = samples.slice();
    for (const stem of stems) {
      const taken = stem[channel] as Float32Array;
      for (let at = 0; at < left.length; at++) left[at] = (left[at] as number) - (taken[at] as number);
    }
    return left;
  });
  return [...stems, rest];
}
