'use client';

import { type NumberField as Field, readNumber } from '../tools/fields.ts';
import type { FieldWording } from '../tools/wording.ts';
import styles from './params-form.module.css';

interface SliderProps {
  readonly label: string;
  /** 1 is 100 %. */
  readonly value: number;
  readonly min?: number;
  readonly max: number;
  readonly onValue: (value: number) => void;
}

interface NumberFieldProps {
  readonly field: Field;
  readonly label: string;
  /** Unit that the visitor types; the value stays in the operation's own. */
  readonly unit?: FieldWording['unit'];
  /** `undefined` leaves the choice to the operation. */
  readonly value: number | undefined;
  /** Explanation of the current value; empty where its label says it all. */
  readonly explanation: string;
  readonly onChange: (value: number | undefined) => void;
}

/** Number input. An optional number reads Automatic until the visitor types one. */
export function NumberField({ field, label, unit, value, explanation, onChange }: NumberFieldProps) {
  const { name, min, max, isInteger, isOptional } = field;
  const { size } = unit ?? { size: 1 };
  const explanationId = explanation ? `${name}-means` : undefined;
  return (
    <div className={styles.field}>
      <div className={styles.labelled}>
        <label className={styles.label} htmlFor={name}>
          {label}
          {unit && <span className={styles.unit}>, {unit.name}</span>}
        </label>
        <input
          id={name}
          className={styles.number}
          type="number"
          inputMode={isInteger ? 'numeric' : 'decimal'}
          min={min && min / size}
          max={max && max / size}
          step={isInteger ? 1 : 'any'}
          placeholder={isOptional ? 'Automatic' : undefined}
          // Read when it is left: what is half typed may be out of bounds.
          key={value}
          defaultValue={value && value / size}
          aria-describedby={explanationId}
          onBlur={({ currentTarget }) => {
            const number = readNumber(field, currentTarget.valueAsNumber * size, value);
            currentTarget.value = String(number === undefined ? '' : number / size);
            if (number !== value) onChange(number);
          }}
        />
      </div>
      {explanation && (
        <p id={explanationId} className={styles.explanation}>
          {explanation}
        </p>
      )}
    </div>
  );
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
