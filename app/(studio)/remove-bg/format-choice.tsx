'use client';

import type { Look } from '../../../models/remove-bg/look.ts';
import form from '../frame/params-form.module.css';
import styles from './format-choice.module.css';

export const FORMAT_NAMES: Readonly<Record<Look['format'], string>> = {
  png: 'PNG',
  webp: 'WebP',
  jpeg: 'JPG',
};

const MEANINGS: Readonly<Record<Look['format'], string>> = {
  png: 'Every pixel as it is, with transparency.',
  webp: 'Much smaller, with transparency.',
  jpeg: 'Opens everywhere. What is transparent becomes white.',
};

interface FormatChoiceProps {
  readonly format: Look['format'];
  readonly onFormat: (format: Look['format']) => void;
}

/** What file the cutouts are taken as. */
export function FormatChoice({ format, onFormat }: FormatChoiceProps) {
  return (
    <fieldset className={form.field} aria-describedby="format-means">
      <legend className={form.label}>Format</legend>
      <div className={styles.formats}>
        {(['png', 'webp', 'jpeg'] as const).map((each) => (
          <label key={each} className={form.choice}>
            <input
              type="radio"
              className="unseen-input"
              name="format"
              checked={format === each}
              onChange={() => onFormat(each)}
            />
            <span>{FORMAT_NAMES[each]}</span>
          </label>
        ))}
      </div>
      <p id="format-means" className={styles.means}>
        {MEANINGS[format]}
      </p>
    </fieldset>
  );
}
