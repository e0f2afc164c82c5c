'use client';

import { Redo2, Undo2 } from 'lucide-react';
import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';

interface UndoKeys {
  readonly undo: () => void;
  readonly redo: () => void;
}

interface UndoButtonsProps {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

const ICON = { size: 18, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** Undoes and redoes changes, in a bar next to the image. */
export function UndoButtons({ canUndo, canRedo, onUndo, onRedo }: UndoButtonsProps) {
  return (
    <>
      <button
        type="button"
        className="button button-quiet"
        aria-label="Undo"
        disabled={!canUndo}
        onClick={onUndo}
      >
        <Undo2 {...ICON} />
      </button>
      <button
        type="button"
        className="button button-quiet"
        aria-label="Redo"
        disabled={!canRedo}
        onClick={onRedo}
      >
        <Redo2 {...ICON} />
      </button>
    </>
  );
}

/** Undoes and redoes by keys, wherever on the page the focus is. */
export function useUndoKeys({ undo, redo }: UndoKeys): void {
  useShortcuts('Edits', [
    { keys: ['Mod+Z'], does: 'Undo a stroke, a background or a place', run: undo },
    { keys: ['Mod+Shift+Z', 'Mod+Y'], does: 'Redo it', run: redo },
  ]);
}

const BRUSH_KEYS = [
  { keys: ['K'], does: 'Keep what is painted' },
  { keys: ['E'], does: 'Erase what is painted' },
  { keys: ['[', ']'], does: 'Change the size of the brush' },
  { keys: [' '], does: 'Start or end a stroke, which the arrow keys move' },
  { keys: ['Escape'], does: 'Cancel a stroke' },
];
const PLACE_KEYS = [{ keys: ['[', ']'], does: 'Turn the subject' }];

/** Lists the keys of the view that edits, which its layer handles itself. */
export function useEditKeys(view: string): void {
  useShortcuts('Edits', view === 'brush' ? BRUSH_KEYS : view === 'place' ? PLACE_KEYS : []);
}
