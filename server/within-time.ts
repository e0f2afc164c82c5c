/**
 * Aborts with the first of the signals, or with a `TimeoutError` once the time is over; nothing stays on the signals then.
 * `AbortSignal.any` of an `AbortSignal.timeout` would not do: Node 20 holds what it is made of weakly, so the timeout may
 * be collected before its time comes, and leaves an entry on every signal that lives on.
 */
export function withinTime(milliseconds: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const ended = new AbortController();
  const { signal } = ended;
  const abort = () => ended.abort(new DOMException('The time is over.', 'TimeoutError'));
  const timer = setTimeout(abort, milliseconds).unref();
  signal.addEventListener('abort', () => clearTimeout(timer));
  for (const other of signals) {
    if (other.aborted) ended.abort(other.reason);
    other.addEventListener('abort', () => ended.abort(other.reason), { once: true, signal });
  }
  return signal;
}
