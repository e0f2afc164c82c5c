'use client';

import { ChoiceRow } from '../../form/choice-row.tsx';
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
      <ChoiceRow
        label="The brush"
        name="brush-mode"
        choices={MODES}
        value={brush.mode}
        className={styles.modes}
        onChoose={(mode) => onBrush({ ...brush, mode })}
      />
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
