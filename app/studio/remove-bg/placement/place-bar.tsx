'use client';

import bar from '../edits/brush-bar.module.css';
import { UndoButtons } from '../edits/undo-buttons.tsx';
import type { SharedEditsState } from '../edits/use-shared-edits.ts';

/**
 * Explains how the subject is placed by hand, and undoes changes. It stands below the image, as the brush's bar
 * does.
 */
export function PlaceBar({ look }: { readonly look: SharedEditsState }) {
  const { background, canvas, canUndo, canRedo, undo, redo } = look;
  return (
    <div className={bar.bar}>
      <UndoButtons canUndo={canUndo} canRedo={canRedo} onUndo={undo} onRedo={redo} />
      <button
        type="button"
        className={`button ${bar.worded}`}
        disabled={!canvas.position}
        onClick={() => look.setCanvas({ position: null })}
      >
        Put subject back
      </button>
      <p className={bar.status}>
        Drag the subject. The corner scales it, the ring at its top turns it.
        {background.kind === 'picture' && ' A drag beside it moves the background.'}
      </p>
    </div>
  );
}
