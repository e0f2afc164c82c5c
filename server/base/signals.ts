/** Reason that no caller reads. Without one, `abort` makes an exception with the stack of its caller each time. */
const ENDED = 'ended';

/** Signal that aborts with the first of several. */
interface CombinedSignal {
  readonly signal: AbortSignal;
  /** Removes its listeners from the signals. Always call it: they may live for as long as the process. */
  end(): void;
}

/**
 * Aborts with the first of the signals, or with a `TimeoutError` after the time; removes its listeners from the
 * signals then. undefined stands for a signal that never aborts. `AbortSignal.any` of an `AbortSignal.timeout` would not do: Node 20 holds its sources weakly, so the
 * timeout may be collected before it fires, and leaves an entry on every long-lived signal.
 */
export function createTimeoutSignal(
  milliseconds: number,
  ...signals: readonly (AbortSignal | undefined)[]
): AbortSignal {
  const ended = new AbortController();
  const { signal } = ended;
  const abort = () => ended.abort(new DOMException('The time is over.', 'TimeoutError'));
  const timer = setTimeout(abort, milliseconds).unref();
  signal.addEventListener('abort', () => clearTimeout(timer));
  for (const other of signals) {
    if (other?.aborted) ended.abort(other.reason);
    other?.addEventListener('abort', () => ended.abort(other.reason), { once: true, signal });
  }
  return signal;
}

/**
 * Combines signals. `AbortSignal.any` would not do: Node 20 keeps each combined signal that has a listener until one of
 * its sources aborts, which a process's own never does.
 */
export function combineSignals(...signals: readonly AbortSignal[]): CombinedSignal {
  const first = new AbortController();
  const ended = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason);
    signal.addEventListener('abort', () => first.abort(signal.reason), { signal: ended.signal });
  }
  return { signal: first.signal, end: () => ended.abort(ENDED) };
}
