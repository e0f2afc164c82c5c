import { proxy } from 'comlink';

/**
 * Returns a function of this page that a worker reports to until its call has ended: reports have a port of their own,
 * and a last one may come after the response, when nobody waits for it any more.
 * @param ended aborts when the call has ended
 */
export function untilEnd<Report>(ended: AbortSignal, take: (report: Report) => void) {
  return proxy((report: Report) => {
    if (!ended.aborted) take(report);
  });
}
