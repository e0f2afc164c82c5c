import type { Count, Runtime } from '../../models/runtime.ts';

/** Of what is left when a download starts, the part of the bar that it takes. */
const DOWNLOAD_SHARE = 0.4;

/** One bar over work and the downloads that the work turns out to need. */
export interface ProgressMeter {
  /** @param fraction of the work, 0 to 1 */
  work: Runtime['progress'];
  /** Starts a download. @returns tells how much of it is there, 0 to 1 */
  download(): (fraction: number) => void;
}

/** @param report is called only when the bar has moved on */
export function createProgressMeter(report: Runtime['progress']): ProgressMeter {
  let shown = 0;
  let base = 0;
  let workAtBase = 0;
  let worked = 0;
  const show = (place: number, count?: Count) => {
    if (place <= shown) return;
    shown = Math.min(1, place);
    report(shown, count);
  };
  return {
    work(fraction, count) {
      worked = Math.max(worked, fraction);
      show(base + ((1 - base) * (worked - workAtBase)) / (1 - workAtBase || 1), count);
    },
    download() {
      const from = shown;
      return (fraction) => {
        base = Math.max(base, from + (1 - from) * DOWNLOAD_SHARE * fraction);
        workAtBase = worked;
        show(base);
      };
    },
  };
}
