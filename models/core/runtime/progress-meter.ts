import { loadedShare, type Progress, type ReportProgress } from './progress.ts';

/** Progress of a run, and of the downloads that the run turns out to need. */
export interface ProgressMeter {
  /** Receives the progress of the work. */
  readonly work: ReportProgress;
  /** Starts a download, and returns what receives its progress. */
  download(): ReportProgress;
}

/**
 * Creates the meter of a run, which keeps its fraction from falling, and its last step and count.
 * @param report is called only when something changes
 */
export function createProgressMeter(report: ReportProgress): ProgressMeter {
  let last: Progress = { fraction: 0 };
  return {
    work({ fraction, count = last.count, step = last.step, loading }) {
      const reached = Math.max(last.fraction, Math.min(1, fraction));
      const waited = unfinished(loading);
      const isNew = step !== last.step || !isSame(waited, last.loading);
      if (reached === last.fraction && !isNew) return;
      last = { fraction: reached, count, step, loading: waited };
      report(last);
    },
    download:
      () =>
      ({ loading }) => {
        const waited = unfinished(loading);
        if (isSame(waited, last.loading)) return;
        last = { ...last, loading: waited };
        report(last);
      },
  };
}

type MaybeLoading = Progress['loading'];

/** Returns a download that the run still waits for. */
function unfinished(loading: MaybeLoading): MaybeLoading {
  return loading && loadedShare(loading) < 1 ? loading : undefined;
}

function isSame(one: MaybeLoading, other: MaybeLoading): boolean {
  return one?.receivedBytes === other?.receivedBytes && one?.totalBytes === other?.totalBytes;
}
