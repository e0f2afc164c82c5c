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

/** Bytes of a download. */
export interface Loading {
  readonly receivedBytes: number;
  /** Null while the size is unknown. */
  readonly totalBytes: number | null;
}

/** Progress of a run, or of a part of it. Every process and page passes it on in this shape. */
export interface Progress {
  /**
   * Share of the work that is done, 0 to 1. It never falls. On a visitor's device downloads are no part of it: nobody
   * can tell how long they take against the work, and one frame of a hundred must not count for half of the run.
   */
  readonly fraction: number;
  /** Number of finished parts, for work with consecutive parts. */
  readonly count?: Count | undefined;
  /** Whether `fraction` is estimated from the times of earlier runs, where the step itself reports nothing. */
  readonly isEstimate?: boolean | undefined;
  /** Name of the current step, as a page shows it: `encoding`. */
  readonly step?: string | undefined;
  /** Download that the run waits for; undefined during the work. */
  readonly loading?: Loading | undefined;
}

export type ReportProgress = (progress: Progress) => void;

/** Returns the share of a download that has arrived, 0 to 1; 0 while its size is unknown. */
export function loadedShare({ receivedBytes, totalBytes }: Loading): number {
  return totalBytes ? Math.min(1, receivedBytes / totalBytes) : 0;
}

/** Returns the progress of work that is nothing but a download. */
export function loadingProgress(loading: Loading): Progress {
  return { fraction: loadedShare(loading), loading };
}

/**
 * Returns the progress of one part of a run.
 * @param report receives the progress of the whole run
 * @param from share of the run before the part, 0 to 1
 * @param to share of the run after it
 */
export function progressSpan(report: ReportProgress, from: number, to: number): ReportProgress {
  return (progress) => report({ ...progress, fraction: from + (to - from) * progress.fraction });
}

/**
 * Returns the progress of each of several equal parts; ignores a part that falls back.
 * @param report receives the progress of all parts together: their mean
 * @param total number of parts
 * @param doneBefore parts that were done before the run began; they have no progress of their own
 */
export function progressParts(
  report: ReportProgress,
  total: number,
  doneBefore = 0,
): (part: number) => ReportProgress {
  const fractions = new Float64Array(total - doneBefore);
  return (part) =>
    ({ fraction }) => {
      fractions[part] = Math.max(fractions[part] ?? 0, fraction);
      report({ fraction: fractions.reduce((sum, each) => sum + each, doneBefore) / total });
    };
}
