import { proxy } from 'comlink';
import type { Progress, ReportProgress } from '../../models/core/runtime/progress.ts';

/** Time between two reports of one step: more of them would only render the page more often. */
const PAUSE_MS = 50;

/**
 * Returns a function of this page that a worker reports to until its call has ended: reports have a port of their own,
 * and a last one may come after the response, when the caller no longer waits for it.
 * @param ended aborts when the call has ended
 */
export function untilEnd<Report>(ended: AbortSignal, take: (report: Report) => void) {
  return proxy((report: Report) => {
    if (!ended.aborted) take(report);
  });
}

/** Returns a function for the progress of a call, which is called until its end, no faster than the page can render. */
export function progressUntilEnd(ended: AbortSignal, take: ReportProgress): ReportProgress {
  return untilEnd(ended, throttleProgress(ended, take));
}

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
