'use client';

import { Grid2x2, Minus, Plus } from 'lucide-react';
import type { PointerEvent } from 'react';
import type { StageView } from './stage-context.ts';
import styles from './stage-controls.module.css';

interface StageControlsProps {
  readonly stage: StageView;
  /** Whether the checkerboard has the shade of the other theme. */
  readonly isSwitched: boolean;
  /** Absent where no checkerboard can be seen. */
  readonly onSwitch: (() => void) | undefined;
  /** Whether a narrow window shows the buttons that zoom alone: by them the whole image is reached, too. */
  readonly isShort: boolean;
}

const ICON = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** Buttons that zoom, and choose the checkerboard. */
export function StageControls({ stage, isSwitched, onSwitch, isShort }: StageControlsProps) {
  const percent = `${Math.round(stage.percent)} %`;
  const keep = (event: PointerEvent) => event.stopPropagation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div className={styles.controls} data-short={isShort} role="group" aria-label="Zoom" onPointerDown={keep}>
      {onSwitch && (
        <button
          type="button"
          className={styles.spare}
          aria-label="Other checkerboard"
          title="Switch between a light and a dark checkerboard"
          aria-pressed={isSwitched}
          onClick={onSwitch}
        >
          <Grid2x2 {...ICON} />
        </button>
      )}
      <button type="button" aria-label="Zoom out" onClick={() => stage.step(-1)}>
        <Minus {...ICON} />
      </button>
      <button
        type="button"
        className={`${styles.spare} ${styles.percent}`}
        aria-label={stage.isFit ? `Fit · ${percent}` : `${percent}: show the whole image`}
        title="Show the whole image"
        onClick={stage.fit}
      >
        {stage.isFit ? `Fit · ${percent}` : percent}
      </button>
      <button type="button" aria-label="Zoom in" onClick={() => stage.step(1)}>
        <Plus {...ICON} />
      </button>
      <button
        type="button"
        className={styles.spare}
        title="One image pixel on one pixel of the screen"
        onClick={() => stage.showActual()}
      >
        100 %
      </button>
    </div>
  );
}
