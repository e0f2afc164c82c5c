'use client';

import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';

interface History {
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Undoes and redoes by keys, wherever on the page the focus is, and lists all keys of the brush. */
export function useUndoKeys({ undo, redo }: History): void {
  useShortcuts('Brush', [
    { keys: ['Mod+Z'], does: 'Undo a stroke', run: undo },
    { keys: ['Mod+Shift+Z', 'Mod+Y'], does: 'Redo a stroke', run: redo },
    { keys: ['K'], does: 'Keep what is painted' },
    { keys: ['E'], does: 'Erase what is painted' },
    { keys: ['[', ']'], does: 'Change the size' },
    { keys: [' '], does: 'Start or end a stroke, which the arrow keys move' },
    { keys: ['Escape'], does: 'Cancel a stroke' },
  ]);
}
