'use client';

import { Redo2, Undo2 } from 'lucide-react';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';

interface UndoButtonsProps {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

const ICON = { size: 18, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** Undoes and redoes changes. A button with nothing left to do keeps the focus. */
export function UndoButtons({ canUndo, canRedo, onUndo, onRedo }: UndoButtonsProps) {
  const common = { type: 'button', className: 'button-icon' } as const;
  return (
    <>
      <button {...common} aria-label="Undo" title="Undo" aria-disabled={!canUndo} onClick={onUndo}>
        <Undo2 {...ICON} />
      </button>
      <button {...common} aria-label="Redo" title="Redo" aria-disabled={!canRedo} onClick={onRedo}>
        <Redo2 {...ICON} />
      </button>
    </>
  );
}

interface UndoKeysOptions {
  /** Group of the list of shortcuts. */
  readonly group: string;
  /** Names what is undone, after a verb: `a change`. */
  readonly what: string;
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Undoes and redoes by keys, wherever on the page the focus is. */
export function useUndoKeys({ group, what, undo, redo }: UndoKeysOptions): void {
  useShortcuts(group, [
    { keys: ['Mod+Z'], does: `Undo ${what}`, run: undo },
    { keys: ['Mod+Shift+Z', 'Mod+Y'], does: 'Redo it', run: redo },
  ]);
}
