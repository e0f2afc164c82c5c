'use client';

import styles from './slider.module.css';

interface SliderProps {
  readonly label: string;
  /** 1 is 100 %. */
  readonly value: number;
  readonly min?: number;
  readonly max: number;
  readonly onValue: (value: number) => void;
}

/** Slider of a share or a factor, shown in percent. */
export function Slider({ label, value, min = 0, max, onValue }: SliderProps) {
  const percent = `${Math.round(value * 100)} %`;
  return (
    <label className={styles.slider}>
      <span>{label}</span>
      {/* No output: a label would name that, and not the slider, which says its value itself. */}
      <span className="facts" aria-hidden>
        {percent}
      </span>
      <input
        type="range"
        min={min}
        max={max}
        step={0.01}
        value={value}
        aria-valuetext={percent}
        onChange={(event) => onValue(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}
