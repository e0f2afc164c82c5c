import { proxy } from 'comlink';
import type { ReportProgress } from '../../models/core/runtime/progress.ts';
import { throttleProgress } from './throttle-progress.ts';

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
