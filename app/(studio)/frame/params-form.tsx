'use client';

import { ChoiceField } from './choice-field.tsx';
import type { Field, ParamValues } from './fields.ts';
import styles from './params-form.module.css';
import type { FieldWording, Wording } from './wording.ts';

interface ParamsFormProps {
  readonly fields: readonly Field[];
  readonly wording: Wording;
  readonly values: ParamValues;
  readonly disabled: boolean;
  readonly onChange: (values: ParamValues) => void;
}

/** Every parameter with what its present value means. Those that play no part now are left out. */
export function ParamsForm({ fields, wording, values, disabled, onChange }: ParamsFormProps) {
  if (!fields.some(({ name }) => wording.fields[name])) return null;
  return (
    <fieldset className={styles.form} disabled={disabled}>
      <legend className="heard-only">Settings</legend>
      {fields.map((field) => {
        const words = wording.fields[field.name];
        if (!words || words.matters?.(values) === false) return null;
        return (
          <Control
            key={field.name}
            field={field}
            words={words}
            values={values}
            onValue={(value) => onChange({ ...values, [field.name]: value })}
          />
        );
      })}
    </fieldset>
  );
}

interface ControlProps {
  readonly field: Field;
  readonly words: FieldWording;
  readonly values: ParamValues;
  readonly onValue: (value: string | number | boolean) => void;
}

function Control({ field, words, values, onValue }: ControlProps) {
  const explanationId = `${field.name}-means`;
  const explanation = (
    <p id={explanationId} className={styles.explanation}>
      {words.explain(values)}
    </p>
  );
  const value = values[field.name] ?? field.initial;
  switch (field.kind) {
    case 'choice':
      return (
        <ChoiceField
          label={words.label}
          name={field.name}
          choices={words.choices ?? Object.fromEntries(field.values.map((each) => [each, each]))}
          value={String(value)}
          explanation={words.explain(values)}
          onChange={onValue}
        />
      );
    case 'range':
      return (
        <div className={styles.field}>
          <div className={styles.labelled}>
            <label className={styles.label} htmlFor={field.name}>
              {words.label}
            </label>
            <output htmlFor={field.name}>{value}</output>
          </div>
          <input
            id={field.name}
            className={styles.range}
            type="range"
            min={field.min}
            max={field.max}
            value={Number(value)}
            aria-describedby={explanationId}
            onChange={(event) => onValue(event.currentTarget.valueAsNumber)}
          />
          {explanation}
        </div>
      );
    case 'switch':
      return (
        <div className={styles.field}>
          <label className={styles.switch}>
            <span className={styles.label}>{words.label}</span>
            <input
              type="checkbox"
              checked={value === true}
              aria-describedby={explanationId}
              onChange={(event) => onValue(event.currentTarget.checked)}
            />
          </label>
          {explanation}
        </div>
      );
  }
}
