'use client';

import { useEffect } from 'react';

interface History {
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Fields with a history of their own. */
const TEXT = 'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])';

/** Shortcuts of the brush, for the list of all shortcuts. */
export const BRUSH_KEYS = [
  { keys: 'Ctrl Z', does: 'Undo a stroke' },
  { keys: 'Ctrl Shift Z', does: 'Redo a stroke' },
  { keys: 'K', does: 'Brush: keep' },
  { keys: 'E', does: 'Brush: erase' },
  { keys: '[ and ]', does: 'Brush size' },
] as const;

/** Undoes by Ctrl or Cmd and Z, and redoes with Shift or by Ctrl and Y, wherever on the page the focus is. */
export function useUndoKeys({ undo, redo }: History): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TEXT)) return;
      const key = event.key.toLowerCase();
      const act = key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [undo, redo]);
}
