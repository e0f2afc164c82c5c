import type { Progress, ReportProgress } from '../../models/core/runtime/progress.ts';

/** Time between two reports of one step: more of them would only render the page more often. */
const PAUSE_MS = 50;

/**
 * Takes the first report of a step and the first of the end at once, and of those that follow within a pause the last
 * one. A page that was busy finds hundreds of reports waiting, and React refuses more than fifty renders in a row.
 * @param ended aborts when the caller no longer waits for reports
 */
export function throttleProgress(ended: AbortSignal, take: ReportProgress): ReportProgress {
  let taken: Progress | undefined;
  let takenAtMs = 0;
  let waiting: Progress | undefined;
  const takeNow = (progress: Progress) => {
    waiting = undefined;
    taken = progress;
    takenAtMs = performance.now();
    take(progress);
  };
  const takeWaiting = () => {
    if (waiting && !ended.aborted) takeNow(waiting);
  };
  return (progress) => {
    const leftMs = takenAtMs + PAUSE_MS - performance.now();
    const isOther = progress.step !== taken?.step || !progress.loading !== !taken?.loading;
    // The run ends before a pause does: no caller would take the last report.
    const isLast = progress.fraction === 1 && taken?.fraction !== 1;
    if (isOther || isLast || leftMs <= 0) {
      takeNow(progress);
      return;
    }
    if (!waiting) setTimeout(takeWaiting, leftMs);
    waiting = progress;
  };
}
