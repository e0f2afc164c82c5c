'use client';

import { type ComponentProps, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { type NumberField as Field, type NumberBounds, readNumber } from '../tools/fields.ts';
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

interface NumberInputProps
  extends Pick<ComponentProps<'input'>, 'id' | 'className' | 'placeholder' | 'aria-describedby'> {
  readonly bounds: NumberBounds;
  /** Number of the value's own units in one that is typed. */
  readonly size?: number | undefined;
  readonly value: number | undefined;
  /** Called with another value than the present one, within the bounds. */
  readonly onChange: (value: number | undefined) => void;
}

/** Number input that is read by Enter, or when it is left: what is half typed may be out of bounds. */
export function NumberInput({ bounds, size = 1, value, onChange, ...input }: NumberInputProps) {
  const { min, max, isInteger } = bounds;
  const field = useRef<HTMLInputElement>(null);
  const text = value === undefined ? '' : String(value / size);
  useEffect(() => {
    if (field.current) field.current.value = text;
  }, [text]);
  const read = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
    const number = readNumber(bounds, currentTarget.valueAsNumber * size, value);
    // The caller may take another number than was typed, or none.
    currentTarget.value = text;
    if (number !== value) onChange(number);
  };
  return (
    <input
      {...input}
      ref={field}
      type="number"
      inputMode={isInteger ? 'numeric' : 'decimal'}
      min={min && min / size}
      max={max && max / size}
      step={isInteger && size === 1 ? 1 : 'any'}
      defaultValue={text}
      onBlur={read}
      onKeyDown={(event) => event.key === 'Enter' && read(event)}
    />
  );
}

/** Number input below its label: one of several in a row. */
export function LabelledNumber({ label, ...input }: { readonly label: string } & NumberInputProps) {
  const id = useId();
  return (
    <label htmlFor={id}>
      {label}
      <NumberInput {...input} id={id} />
    </label>
  );
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

/** Number input with its label and an explanation. An optional number reads Automatic until the visitor types one. */
export function NumberField({ field, label, unit, value, explanation, onChange }: NumberFieldProps) {
  const { name, isOptional } = field;
  const explanationId = explanation ? `${name}-means` : undefined;
  return (
    <div className={styles.field}>
      <div className={styles.labelled}>
        <label className={styles.label} htmlFor={name}>
          {label}
          {unit && <span className="note">, {unit.name}</span>}
        </label>
        <NumberInput
          id={name}
          className={styles.number}
          bounds={field}
          size={unit?.size}
          placeholder={isOptional ? 'Automatic' : undefined}
          value={value}
          aria-describedby={explanationId}
          onChange={onChange}
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
