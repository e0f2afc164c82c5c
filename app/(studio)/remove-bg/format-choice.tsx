'use client';

import form from '../frame/params-form.module.css';
import styles from './format-choice.module.css';
import type { FormatWords } from './formats.ts';

interface FormatChoiceProps<Format extends string> {
  readonly formats: Readonly<Record<Format, FormatWords>>;
  readonly format: Format;
  readonly onFormat: (format: Format) => void;
}

/** What file the cutouts are taken as. */
export function FormatChoice<Format extends string>({
  formats,
  format,
  onFormat,
}: FormatChoiceProps<Format>) {
  return (
    <fieldset className={form.field} aria-describedby="format-means">
      <legend className={form.label}>Format</legend>
      <div className={styles.formats}>
        {(Object.keys(formats) as Format[]).map((each) => (
          <label key={each} className={form.choice}>
            <input
              type="radio"
              className="unseen-input"
              name="format"
              checked={format === each}
              onChange={() => onFormat(each)}
            />
            <span>{formats[each].name}</span>
          </label>
        ))}
      </div>
      <p id="format-means" className={styles.means}>
        {formats[format].means}
      </p>
    </fieldset>
  );
}
