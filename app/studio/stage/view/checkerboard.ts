'use client';

import { useSyncExternalStore } from 'react';
import { Cell } from '../../../state/cell.ts';

const isSwitched = new Cell(false);
const switchBoard = (): void => isSwitched.set((before) => !before);

/**
 * Returns whether the checkerboard behind transparent images has the shade of the other theme: dark hair shows its
 * edges on one, white fur on the other. The choice holds in every tool until the page is closed.
 */
export function useCheckerboardShade(): [isSwitched: boolean, switchBoard: () => void] {
  return [useSyncExternalStore(isSwitched.subscribe, isSwitched.get, () => false), switchBoard];
}
