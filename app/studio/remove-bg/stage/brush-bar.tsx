'use client';

import { UndoButtons } from '../../form/undo-buttons.tsx';
import { type Brush, RADIUS } from './brush.ts';
import styles from './brush-bar.module.css';

interface BrushBarProps {
  readonly brush: Brush;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly isWorking: boolean;
  readonly failure: string | undefined;
  readonly onBrush: (brush: Brush) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

const MODES = { keep: 'Keep', erase: 'Erase' } as const;

/** Shows brush mode, size and undo. */
export function BrushBar({ brush, isWorking, failure, onBrush, ...history }: BrushBarProps) {
  return (
    <div className={styles.bar}>
      <BrushModes brush={brush} onBrush={onBrush} />
      <label className={styles.size}>
        <span>Size</span>
        <input
          type="range"
          min={RADIUS.min}
          max={RADIUS.max}
          step={RADIUS.step}
          value={brush.radius}
          aria-valuetext={`${brush.radius * 2} pixels of the screen`}
          onChange={(event) => onBrush({ ...brush, radius: event.currentTarget.valueAsNumber })}
        />
      </label>
      <UndoButtons {...history} />
      <p role="status" className={styles.status}>
        {failure ?? (isWorking ? 'Following the edges…' : 'Paint roughly: it finds the edges.')}
      </p>
    </div>
  );
}

function BrushModes({ brush, onBrush }: Pick<BrushBarProps, 'brush' | 'onBrush'>) {
  return (
    <fieldset className={styles.modes}>
      <legend className="sr-only">The brush</legend>
      {(['keep', 'erase'] as const).map((mode) => (
        <label key={mode} data-mode={mode}>
          <input
            type="radio"
            className="visually-hidden"
            name="brush-mode"
            checked={brush.mode === mode}
            onChange={() => onBrush({ ...brush, mode })}
          />
          <span>{MODES[mode]}</span>
        </label>
      ))}
    </fieldset>
  );
}
