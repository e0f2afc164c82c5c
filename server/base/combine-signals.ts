/** Signal that aborts with the first of several. */
export interface CombinedSignal {
  readonly signal: AbortSignal;
  /** Removes its listeners from the signals. Always call it: they may live for as long as the process. */
  end(): void;
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
  return { signal: first.signal, end: () => ended.abort() };
}
