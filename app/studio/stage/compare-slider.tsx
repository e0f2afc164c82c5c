'use client';

import { type CSSProperties, type PointerEvent, type ReactNode, useState } from 'react';
import styles from './compare-slider.module.css';
import { useStage } from './stage-context.ts';
import { StagePlane } from './stage-plane.tsx';

const MIDDLE = 50;

/** Words of the two sides. */
export interface Sides {
  readonly before: string;
  readonly after: string;
  /** Left side, in the name of the line. */
  readonly share: string;
  /** Left side, after a percentage. */
  readonly unit: string;
}

const BEFORE_AND_AFTER: Sides = {
  before: 'original',
  after: 'result',
  share: 'the original',
  unit: 'original',
};

interface CompareSliderProps {
  readonly before: string;
  readonly after: string;
  readonly name: string;
  readonly sides?: Sides | undefined;
}

/** Compares two states of an image. */
export function CompareSlider({ before, after, name, sides = BEFORE_AND_AFTER }: CompareSliderProps) {
  return (
    <SplitView
      sides={sides}
      before={
        <StagePlane>
          <img loading="lazy" draggable={false} src={before} alt={`${name}, ${sides.before}`} />
        </StagePlane>
      }
      after={
        <StagePlane>
          <img
            loading="lazy"
            draggable={false}
            src={after}
            alt={`${name}, ${sides.after}`}
            className="develops"
          />
        </StagePlane>
      }
    />
  );
}

interface SplitViewProps {
  readonly before: ReactNode;
  readonly after: ReactNode;
  /** Shows only the result, and keeps the original loaded. */
  readonly isWhole?: boolean;
  readonly sides?: Sides;
}

/**
 * Shows two views over each other, divided by a line that a pointer or the arrow keys move. The line stays where it is
 * when both views are zoomed or panned together; where they can be panned, only its grip takes the pointer.
 */
export function SplitView({ before, after, isWhole = false, sides = BEFORE_AND_AFTER }: SplitViewProps) {
  const [percent, setPercent] = useState(MIDDLE);
  const canPan = useStage()?.canPan === true;
  const pointer = useLineDrag(canPan, setPercent);
  // Set by script only: the page's policy allows no style attribute in server-rendered HTML.
  const split = percent === MIDDLE ? undefined : ({ '--split': `${percent}%` } as CSSProperties);
  return (
    <div
      className={styles.slider}
      style={split}
      data-whole={isWhole}
      data-pans={canPan}
      {...(isWhole ? {} : pointer)}
    >
      <div className={styles.after}>{after}</div>
      <div className={styles.before}>{before}</div>
      {!isWhole && (
        <>
          <span className={styles.tag}>{sides.before}</span>
          <span className={styles.tag}>{sides.after}</span>
          <span className={styles.grip} data-grip />
          <input
            type="range"
            min={0}
            max={100}
            value={Math.round(percent)}
            aria-label={`Share of ${sides.share} that is shown`}
            aria-valuetext={`${Math.round(percent)} % ${sides.unit}`}
            className="visually-hidden"
            onChange={(event) => setPercent(event.currentTarget.valueAsNumber)}
          />
        </>
      )}
    </div>
  );
}

/**
 * Moves the line by a pointer.
 * @param onPercent receives the place of the line, as a percentage of the width
 */
function useLineDrag(canPan: boolean, onPercent: (percent: number) => void) {
  const [isMoving, setIsMoving] = useState(false);
  const moveTo = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onPercent(Math.min(100, Math.max(0, ((clientX - left) / width) * 100)));
  };
  const stop = () => setIsMoving(false);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      // A second finger zooms.
      if (!event.isPrimary) return stop();
      const isGrip = event.target instanceof Element && event.target.hasAttribute('data-grip');
      if (event.button !== 0 || (canPan && !isGrip)) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      setIsMoving(true);
      moveTo(event);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (isMoving) moveTo(event);
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}
