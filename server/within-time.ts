/**
 * Aborts with the first of the signals, or with a `TimeoutError` once the time is over. `AbortSignal.timeout` among the
 * signals of `AbortSignal.any` would not do: those are only held weakly, and Node 20 collects it before its time comes.
 */
export function withinTime(milliseconds: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const timeUp = new AbortController();
  const abort = () => timeUp.abort(new DOMException('The time is over.', 'TimeoutError'));
  setTimeout(abort, milliseconds).unref();
  return AbortSignal.any([...signals, timeUp.signal]);
}
