'use client';

import { type CSSProperties, useState } from 'react';
import styles from './compare-slider.module.css';

interface CompareSliderProps {
  readonly before: string;
  readonly after: string;
  readonly name: string;
}

/** Two pictures over each other, parted by a line that a hand or the arrow keys move. */
export function CompareSlider({ before, after, name }: CompareSliderProps) {
  const [percent, setPercent] = useState(50);
  const split = { '--split': `${percent}%` } as CSSProperties;
  return (
    <div className={styles.slider} style={split}>
      <img src={after} alt={`${name}, result`} className={`${styles.after} develops`} />
      <img src={before} alt={`${name}, original`} className={styles.before} />
      <span className={styles.tag}>original</span>
      <span className={styles.tag}>result</span>
      <input
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-label="Share of the original that is shown"
        aria-valuetext={`${percent} % original`}
        className={styles.input}
        onChange={(event) => setPercent(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
