'use client';

import { Redo2, Undo2 } from 'lucide-react';

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
