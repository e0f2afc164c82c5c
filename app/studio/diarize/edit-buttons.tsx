'use client';

import { Redo2, Undo2 } from 'lucide-react';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import styles from './diarize.module.css';
import type { EditHistory } from './edit-history.ts';

interface EditButtonsProps {
  readonly history: EditHistory;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Undoes and redoes names, merges, splits and corrections. A button with nothing left to do keeps the focus. */
export function EditButtons({ history, onUndo, onRedo }: EditButtonsProps) {
  useShortcuts('Speakers', [
    { keys: ['Mod+Z'], does: 'Undo a change', run: onUndo },
    { keys: ['Mod+Shift+Z', 'Mod+Y'], does: 'Redo a change', run: onRedo },
  ]);
  return (
    <span className={styles.history}>
      <button
        type="button"
        className="button-icon"
        aria-label="Undo"
        title="Undo"
        aria-disabled={history.before.length === 0}
        onClick={onUndo}
      >
        <Undo2 size={18} strokeWidth={1.5} aria-hidden />
      </button>
      <button
        type="button"
        className="button-icon"
        aria-label="Redo"
        title="Redo"
        aria-disabled={history.undone.length === 0}
        onClick={onRedo}
      >
        <Redo2 size={18} strokeWidth={1.5} aria-hidden />
      </button>
    </span>
  );
}
