'use client';

import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';

interface History {
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Undoes and redoes by keys, wherever on the page the focus is, and lists the keys of the brush and of placing. */
export function useUndoKeys({ undo, redo }: History): void {
  useShortcuts('Edits', [
    { keys: ['Mod+Z'], does: 'Undo a stroke, a background or a place', run: undo },
    { keys: ['Mod+Shift+Z', 'Mod+Y'], does: 'Redo it', run: redo },
    { keys: ['K'], does: 'Keep what is painted' },
    { keys: ['E'], does: 'Erase what is painted' },
    { keys: ['[', ']'], does: 'Change the size of the brush, or turn the subject' },
    { keys: [' '], does: 'Start or end a stroke, which the arrow keys move' },
    { keys: ['Escape'], does: 'Cancel a stroke' },
  ]);
}
