'use client';

import { Redo2, Undo2 } from 'lucide-react';
import bar from '../edits/brush-bar.module.css';
import type { SharedEditsState } from '../edits/use-shared-edits.ts';

const ICON = { size: 18, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** Says how the subject is placed by hand, and takes changes back: beside the image, as the bar of the brush is. */
export function PlaceBar({ look }: { readonly look: SharedEditsState }) {
  const { background, canvas } = look;
  return (
    <div className={bar.bar}>
      <button
        type="button"
        className="button button-quiet"
        aria-label="Undo"
        disabled={!look.canUndo}
        onClick={look.undo}
      >
        <Undo2 {...ICON} />
      </button>
      <button
        type="button"
        className="button button-quiet"
        aria-label="Redo"
        disabled={!look.canRedo}
        onClick={look.redo}
      >
        <Redo2 {...ICON} />
      </button>
      <button
        type="button"
        className={`button ${bar.worded}`}
        disabled={!canvas.position}
        onClick={() => look.setCanvas({ position: null })}
      >
        Put back
      </button>
      <p className={bar.status}>
        Drag the subject. The corner scales it, the ring at its top turns it.
        {background.kind === 'picture' && ' A drag beside it moves the background.'}
      </p>
    </div>
  );
}
