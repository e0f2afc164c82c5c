'use client';

import { type CSSProperties, type PointerEvent, type ReactNode, useState } from 'react';
import styles from './compare-slider.module.css';
import { useStage } from './stage-context.ts';
import { StagePlane } from './stage-plane.tsx';

const MIDDLE = 50;

interface CompareSliderProps {
  readonly before: string;
  readonly after: string;
  readonly name: string;
}

/** Compares an image before and after. */
export function CompareSlider({ before, after, name }: CompareSliderProps) {
  return (
    <SplitView
      before={
        <StagePlane>
          <img loading="lazy" draggable={false} src={before} alt={`${name}, original`} />
        </StagePlane>
      }
      after={
        <StagePlane>
          <img loading="lazy" draggable={false} src={after} alt={`${name}, result`} className="develops" />
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
}

/**
 * Shows two views over each other, divided by a line that a pointer or the arrow keys move. The line stays where it is
 * when both views are zoomed or panned together; where they can be panned, only its grip takes the pointer.
 */
export function SplitView({ before, after, isWhole = false }: SplitViewProps) {
  const [percent, setPercent] = useState(MIDDLE);
  const [isMoving, setIsMoving] = useState(false);
  const canPan = useStage()?.canPan === true;
  // Set by script only: the page's policy allows no style attribute in server-rendered HTML.
  const split = percent === MIDDLE ? undefined : ({ '--split': `${percent}%` } as CSSProperties);
  const moveTo = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPercent(Math.min(100, Math.max(0, ((clientX - left) / width) * 100)));
  };
  const stop = () => setIsMoving(false);
  const pointer = {
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
          <span className={styles.tag}>original</span>
          <span className={styles.tag}>result</span>
          <span className={styles.grip} data-grip />
          <input
            type="range"
            min={0}
            max={100}
            value={Math.round(percent)}
            aria-label="Share of the original that is shown"
            aria-valuetext={`${Math.round(percent)} % original`}
            className="unseen-input"
            onChange={(event) => setPercent(event.currentTarget.valueAsNumber)}
          />
        </>
      )}
    </div>
  );
}
