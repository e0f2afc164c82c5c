import type { Count, Runtime } from '../../models/runtime.ts';

/** Of what is left when a download starts, the part of the bar that it takes. */
const DOWNLOAD_SHARE = 0.4;

/**
 * @param fraction of the whole run with all it loads, 0 to 1, never falling
 * @param isLoading whether the run waits for something that it has to load
 */
export type ReportProgress = (fraction: number, count?: Count, isLoading?: boolean) => void;

/** One bar over work and the downloads that the work turns out to need. */
export interface ProgressMeter {
  /** @param fraction of the work, 0 to 1 */
  work: Runtime['progress'];
  /** Starts a download. @returns tells how much of it is there, 0 to 1 */
  download(): (fraction: number) => void;
}

/** @param report is called only when the bar has moved on, or when loading begins or ends */
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
      show(base + ((1 - base) * (worked - workAtBase)) / (1 - workAtBase || 1), false, count);
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
