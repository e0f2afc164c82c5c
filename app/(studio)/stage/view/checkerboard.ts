'use client';

import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isSwitched = false;

/**
 * Returns whether the checkerboard behind transparent images has the shade of the other theme: dark hair shows its
 * edges on one, white fur on the other. The choice holds in every tool until the page is closed.
 */
export function useCheckerboardShade(): [isSwitched: boolean, switchBoard: () => void] {
  return [useSyncExternalStore(subscribe, read, () => false), switchBoard];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const read = (): boolean => isSwitched;

function switchBoard(): void {
  isSwitched = !isSwitched;
  for (const listener of listeners) listener();
}
