import type { PcmChunk } from '../../core/runtime/audio-codec.ts';

/** Stems of a result, in the order of its files. The last one is all that the others leave. */
export const STEM_NAMES = {
  two: ['vocals', 'no_vocals'],
  four: ['vocals', 'drums', 'bass', 'other'],
} as const;

/** Sample rate of separation and results, in Hz. */
export const STEM_RATE = 44_100;

/** Stretch of sound with the estimates of all stems but the last one. All are stereo and equally long. */
export interface SeparatedChunk {
  readonly mixture: PcmChunk;
  readonly stems: readonly PcmChunk[];
}

/** Full scale of 16 bits, whose steps all stems are rounded to. */
const SCALE = 32_768;

/**
 * Completes a stretch: the last stem is all that the others leave. All are whole numbers of 16-bit steps within full
 * scale, so that files add up to the mixture exactly. Where the last stem would exceed full scale, the excess goes to
 * the others by the room that they have. The mixture itself ends at full scale, as in a file of 16 bits. The first stem
 * is taken out before the others divide what it leaves, so two stems are the sum of four.
 */
export function completeStems({ mixture, stems }: SeparatedChunk): PcmChunk[] {
  const [first, ...others] = stems;
  const left = first ? takeOut(mixture, [first]) : mixture;
  return [...stems, others.length > 0 ? takeOut(left, others) : left];
}

/** Rounds stems to steps, in place, and returns what they leave. */
function takeOut(whole: PcmChunk, stems: readonly PcmChunk[]): PcmChunk {
  return whole.map((samples, channel) => {
    const parts = stems.map((stem) => stem[channel]);
    const steps = new Int32Array(parts.length);
    return samples.map((sample, at) => divideSample(sample, parts, at, steps) / SCALE);
  });
}

/**
 * Rounds the parts of one sample, and corrects them where they leave too much.
 * @param steps working memory, one for each part
 * @returns the rest, in steps
 */
function divideSample(whole: number, parts: readonly Float32Array[], at: number, steps: Int32Array): number {
  let rest = toSteps(whole);
  for (const [index, part] of parts.entries()) {
    steps[index] = toSteps(part[at]);
    rest -= steps[index];
  }
  const last = Math.min(SCALE - 1, Math.max(-SCALE, rest));
  if (last !== rest) shareExcess(rest - last, steps);
  for (const [index, part] of parts.entries()) part[at] = steps[index] / SCALE;
  return last;
}

/** Adds an excess to parts, each by its share of the room up to full scale. There is always enough. */
function shareExcess(excess: number, steps: Int32Array): void {
  const limit = excess > 0 ? SCALE - 1 : -SCALE;
  let room = steps.reduce((sum, step) => sum + limit - step, 0);
  let left = excess;
  for (const [index, step] of steps.entries()) {
    const share = room === 0 ? 0 : Math.round((left * (limit - step)) / room);
    steps[index] = step + share;
    left -= share;
    room -= limit - step;
  }
}

function toSteps(sample: number): number {
  return Math.min(SCALE - 1, Math.max(-SCALE, Math.round(sample * SCALE)));
}
