/** Number of finished parts of a run: frames, pages, segments. */
export interface Count {
  readonly done: number;
  /** At least `done`. */
  readonly total: number;
  /** Whether `total` is an estimate that may change. */
  readonly isGuess: boolean;
  /** Singular noun of the parts: `frame`. */
  readonly unit: string;
}

/**
 * Receives the progress of a run or of a step.
 * @param fraction 0 to 1, never decreasing
 * @param count for work with consecutive parts
 * @param step what takes the time from now on: `decoding`, `encoding`
 */
export type Progress = (fraction: number, count?: Count, step?: string) => void;

/**
 * Returns the progress of one step of a run.
 * @param progress of the whole run
 * @param from share of the run before the step, 0 to 1
 * @param to share of the run after it
 */
export function progressSpan(progress: Progress, from: number, to: number): Progress {
  return (fraction, count, step) => progress(from + (to - from) * fraction, count, step);
}

/**
 * Returns the progress of each of several equal parts; ignores a part that falls back.
 * @param progress of all parts together: their mean
 * @param total number of parts
 * @param doneBefore parts that were done before the run began; they have no progress of their own
 */
export function progressParts(
  progress: Progress,
  total: number,
  doneBefore = 0,
): (part: number) => (fraction: number) => void {
  const fractions = new Float64Array(total - doneBefore);
  return (part) => (fraction) => {
    fractions[part] = Math.max(fractions[part] ?? 0, fraction);
    progress(fractions.reduce((sum, each) => sum + each, doneBefore) / total);
  };
}
