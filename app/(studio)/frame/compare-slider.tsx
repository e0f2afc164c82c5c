'use client';

import { type CSSProperties, type ReactNode, useState } from 'react';
import styles from './compare-slider.module.css';

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
      before={<img loading="lazy" src={before} alt={`${name}, original`} />}
      after={<img loading="lazy" src={after} alt={`${name}, result`} className="develops" />}
    />
  );
}

interface SplitViewProps {
  readonly before: ReactNode;
  readonly after: ReactNode;
  /** Shows only the result, and keeps the original loaded. */
  readonly isWhole?: boolean;
}

/** Shows two views over each other, divided by a line that a pointer or the arrow keys move. */
export function SplitView({ before, after, isWhole = false }: SplitViewProps) {
  const [percent, setPercent] = useState(MIDDLE);
  // Set by script only: the page's policy allows no style attribute in server-rendered HTML.
  const split = percent === MIDDLE ? undefined : ({ '--split': `${percent}%` } as CSSProperties);
  return (
    <div className={styles.slider} style={split} data-whole={isWhole}>
      <div className={styles.after}>{after}</div>
      <div className={styles.before}>{before}</div>
      {!isWhole && (
        <>
          <span className={styles.tag}>original</span>
          <span className={styles.tag}>result</span>
          <input
            type="range"
            min={0}
            max={100}
            value={percent}
            aria-label="Share of the original that is shown"
            aria-valuetext={`${percent} % original`}
            className="unseen-input"
            onChange={(event) => setPercent(event.currentTarget.valueAsNumber)}
          />
        </>
      )}
    </div>
  );
}
