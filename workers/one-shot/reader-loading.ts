import type { Loading } from '../../models/core/runtime/progress.ts';

let loading: Loading | undefined;

const listeners = new Set<() => void>();

/** Returns the download of FFmpeg that files wait for to be measured; undefined while there is none. */
export const getReaderLoading = (): Loading | undefined => loading;

export function setReaderLoading(next: Loading | undefined): void {
  loading = next;
  for (const listener of listeners) listener();
}

/** @returns a function that unsubscribes */
export function onReaderLoading(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
