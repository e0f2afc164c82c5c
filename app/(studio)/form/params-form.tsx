'use client';

import type { Field, ParamValue, ParamValues } from '../params/fields.ts';
import type { FieldWording, Wording } from '../params/wording.ts';
import { ChoiceField } from './choice-field.tsx';
import { ListField } from './list-field.tsx';
import { NumberField } from './number-field.tsx';
import styles from './params-form.module.css';

interface ParamsFormProps {
  readonly fields: readonly Field[];
  readonly wording: Pick<Wording, 'fields'>;
  readonly values: ParamValues;
  readonly disabled: boolean;
  /** Name of the group for screen readers. */
  readonly name?: string;
  readonly onChange: (values: ParamValues) => void;
}

/** Shows every parameter with the meaning of its current value. Hides those that have no effect. */
export function ParamsForm({
  fields,
  wording,
  values,
  disabled,
  name = 'Settings',
  onChange,
}: ParamsFormProps) {
  if (!fields.some(({ name }) => wording.fields[name])) return null;
  return (
    <fieldset className={styles.form} disabled={disabled}>
      <legend className="sr-only">{name}</legend>
      {fields.map((field) => {
        const words = wording.fields[field.name];
        if (!words || words.isRelevant?.(values) === false) return null;
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

/** Returns the labels of a field's values, in the order of the wording. Values without a label are not offered. */
function choicesOf(
  { values }: Extract<Field, { kind: 'choice' }>,
  { choices }: FieldWording,
): Readonly<Record<string, string>> {
  const names = values.map(String);
  if (!choices) return Object.fromEntries(names.map((each) => [each, each]));
  return Object.fromEntries(Object.entries(choices).filter(([value]) => names.includes(value)));
}

interface ControlProps {
  readonly field: Field;
  readonly words: FieldWording;
  readonly values: ParamValues;
  readonly onValue: (value: ParamValue) => void;
}

function Control({ field, words, values, onValue }: ControlProps) {
  const explanationId = `${field.name}-means`;
  const explanation = (
    <p id={explanationId} className={styles.explanation}>
      {words.explain(values)}
    </p>
  );
  const value = values[field.name];
  switch (field.kind) {
    case 'choice':
      return (
        <ChoiceField
          label={words.label}
          name={field.name}
          choices={choicesOf(field, words)}
          value={String(value)}
          explanation={words.explain(values)}
          onChange={(chosen) => onValue(field.values.find((each) => String(each) === chosen) ?? chosen)}
        />
      );
    case 'list':
      return (
        <ListField
          field={field}
          words={words}
          chosen={Array.isArray(value) ? value : field.initial}
          explanation={words.explain(values)}
          onChange={onValue}
        />
      );
    case 'number':
      return (
        <NumberField
          field={field}
          label={words.label}
          value={typeof value === 'number' ? value : undefined}
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
            <output htmlFor={field.name}>{String(value ?? field.initial)}</output>
          </div>
          <input
            id={field.name}
            className={styles.range}
            type="range"
            min={field.min}
            max={field.max}
            step={field.step}
            value={Number(value ?? field.initial)}
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
