import type { Count, Progress } from '../../../models/runtime/progress.ts';

/** Current activity of a run. */
export interface Activity {
  /** Share of the download that the run waits for, 0 to 1; undefined during the work. */
  readonly loading?: number | undefined;
  /** Name of what takes the time: `encoding`. */
  readonly step?: string | undefined;
}

/**
 * @param fraction of the work, 0 to 1, never decreasing. Downloads are no part of it: nobody can tell how long they
 *   take against the work, and a frame that is one of a hundred must not count for half of the run.
 */
export type ReportProgress = (fraction: number, count?: Count, activity?: Activity) => void;

/** Progress of a run, and of the downloads that the run turns out to need. */
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
 * @param report is called only when something changes
 */
export function createProgressMeter(report: ReportProgress): ProgressMeter {
  let worked = 0;
  let count: Count | undefined;
  let activity: Activity = {};
  const become = ({ loading, step = activity.step }: Activity): boolean => {
    const isNew = loading !== activity.loading || step !== activity.step;
    if (isNew) activity = { loading, step };
    return isNew;
  };
  return {
    work(fraction, counted, step) {
      const isNew = become({ step });
      if (fraction <= worked && !isNew) return;
      worked = Math.max(worked, Math.min(1, fraction));
      count = counted ?? count;
      report(worked, count, activity);
    },
    download: () => (fraction) => {
      if (become({ loading: fraction < 1 ? fraction : undefined })) report(worked, count, activity);
    },
  };
}
