'use client';

import type { Where } from './batch.ts';
import styles from './params-form.module.css';

interface PlaceChoiceProps {
  readonly where: Where;
  readonly disabled: boolean;
  readonly onChange: (where: Where) => void;
}

const PLACES = {
  device: { label: 'This device', means: 'Free. Nothing leaves this device.' },
  server: {
    label: 'Our server',
    means: 'Each file is sent to our server when you press the button, for the price that stands on it.',
  },
} as const satisfies Record<Where, { label: string; means: string }>;

/** Where the work is done. The device, unless the visitor wants otherwise. */
export function PlaceChoice({ where, disabled, onChange }: PlaceChoiceProps) {
  return (
    <fieldset className={styles.field} disabled={disabled} aria-describedby="place-means">
      <legend className={styles.label}>Where to run</legend>
      <div className={styles.places}>
        {(Object.keys(PLACES) as Where[]).map((place) => (
          <label key={place} className={styles.choice}>
            <input
              type="radio"
              className="unseen-input"
              name="place"
              value={place}
              checked={where === place}
              onChange={() => onChange(place)}
            />
            <span>{PLACES[place].label}</span>
          </label>
        ))}
      </div>
      <p id="place-means" className={styles.explanation}>
        {PLACES[where].means}
      </p>
    </fieldset>
  );
}
