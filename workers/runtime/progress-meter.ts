import type { Count, Progress } from '../../models/progress.ts';

/** Share of the remaining progress that a download takes when it starts. */
const DOWNLOAD_SHARE = 0.4;

/**
 * @param fraction of the whole run including downloads, 0 to 1, never decreasing
 * @param isLoading whether the run waits for a download
 */
export type ReportProgress = (fraction: number, count?: Count, isLoading?: boolean) => void;

/** One progress over a run and the downloads that the run turns out to need. */
export interface ProgressMeter {
  /** @param fraction of the work, 0 to 1 */
  work: Progress;
  /**
   * Starts a download.
   * @returns its progress callback, 0 to 1
   */
  download(): (fraction: number) => void;
}

/**
 * Creates a meter.
 * @param report is called only when the progress changes, or when loading begins or ends
 */
export function createProgressMeter(report: ReportProgress): ProgressMeter {
  let shown = 0;
  let wasLoading = false;
  let base = 0;
  let workAtBase = 0;
  let worked = 0;
  const show = (place: number, isLoading: boolean, count?: Count) => {
    if (place <= shown && isLoading === wasLoading) return;
    shown = Math.max(shown, Math.min(1, place));
    wasLoading = isLoading;
    report(shown, count, isLoading);
  };
  return {
    work(fraction, count) {
      worked = Math.max(worked, fraction);
      // Rounding must not leave a finished run a hair below 1.
      const share = worked === 1 ? 1 : (worked - workAtBase) / (1 - workAtBase);
      show(base + (1 - base) * share, false, count);
    },
    download() {
      const from = shown;
      return (fraction) => {
        base = Math.max(base, from + (1 - from) * DOWNLOAD_SHARE * fraction);
        workAtBase = worked;
        show(base, fraction < 1);
      };
    },
  };
}
