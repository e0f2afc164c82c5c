'use client';

import form from '../form/params-form.module.css';
import styles from './extend.module.css';
import { boundedMargin, MARGIN_MAX, type Margins, SIDES } from './margins.ts';

interface MarginFieldsProps {
  readonly margins: Margins;
  readonly disabled: boolean;
  readonly onMargins: (margins: Margins) => void;
}

export const SIDE_NAMES = { left: 'Left', top: 'Top', right: 'Right', bottom: 'Bottom' } as const;

/** Number inputs for the pixels added on each side. */
export function MarginFields({ margins, disabled, onMargins }: MarginFieldsProps) {
  return (
    <fieldset className={form.field} disabled={disabled} aria-describedby="margins-mean">
      <legend className={form.label}>Pixels added</legend>
      <div className={styles.sides}>
        {SIDES.map((side) => (
          <label key={side}>
            {SIDE_NAMES[side]}
            <input
              type="number"
              inputMode="numeric"
              min={0}
              max={MARGIN_MAX}
              // Read when it is left: what is half typed may be out of bounds.
              key={margins[side]}
              defaultValue={margins[side]}
              onBlur={({ currentTarget }) => {
                const typed = currentTarget.valueAsNumber;
                const pixels = Number.isNaN(typed) ? margins[side] : boundedMargin(typed);
                currentTarget.value = String(pixels);
                if (pixels !== margins[side]) onMargins({ ...margins, [side]: pixels });
              }}
            />
          </label>
        ))}
      </div>
      <p id="margins-mean" className={styles.note}>
        At most {MARGIN_MAX} on a side.
      </p>
    </fieldset>
  );
}
