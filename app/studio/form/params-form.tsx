'use client';

import type { ReactNode } from 'react';
import {
  changedFields,
  type Field,
  type ParamValue,
  type ParamValues,
  toggleValue,
} from '../tools/fields.ts';
import { type FieldWording, summarise, type Wording } from '../tools/wording.ts';
import { ChoiceField, ChoiceGroup } from './choice-field.tsx';
import { FoldedSettings } from './folded-settings.tsx';
import { NumberField } from './number-field.tsx';
import styles from './params-form.module.css';

interface FoldedFormProps {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly wording: Pick<Wording, 'fields'>;
  readonly values: ParamValues;
  readonly disabled: boolean;
  readonly onChange: (values: ParamValues) => void;
  /** Controls of these fields, where they are not those of a form. */
  readonly children?: ReactNode;
}

interface ListFieldProps {
  readonly field: Extract<Field, { kind: 'list' }>;
  readonly words: FieldWording;
  readonly chosen: readonly (string | number)[];
  /** Explanation of the selected value. */
  readonly explanation: string;
  readonly onChange: (chosen: readonly (string | number)[]) => void;
}

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
function getChoices(
  { values }: Extract<Field, { kind: 'choice' }>,
  { choices }: FieldWording,
): Readonly<Record<string, string>> {
  const names = values.map(String);
  const offered = Object.entries(choices ?? Object.fromEntries(names.map((each) => [each, each])));
  return Object.fromEntries(offered.filter(([value]) => value === '' || names.includes(value)));
}

interface ControlProps {
  readonly field: Field;
  readonly words: FieldWording;
  readonly values: ParamValues;
  readonly onValue: (value: ParamValue) => void;
}

function Control({ field, words, values, onValue }: ControlProps) {
  const value = values[field.name];
  const explanation = words.explain(values);
  const simple = { label: words.label, value, explanation, onValue };
  switch (field.kind) {
    case 'choice':
      return (
        <ChoiceField
          label={words.label}
          name={field.name}
          choices={getChoices(field, words)}
          icons={words.icons}
          isMap={words.isMap}
          value={String(value ?? '')}
          explanation={explanation}
          onChange={(chosen) => onValue(field.values.find((each) => String(each) === chosen))}
        />
      );
    case 'list':
      return (
        <ListField
          field={field}
          words={words}
          chosen={Array.isArray(value) ? value : field.initial}
          explanation={explanation}
          onChange={onValue}
        />
      );
    case 'number':
      return (
        <NumberField
          field={field}
          label={words.label}
          unit={words.unit}
          value={typeof value === 'number' ? value : undefined}
          explanation={explanation}
          onChange={onValue}
        />
      );
    case 'range':
      return <RangeField {...simple} field={field} />;
    case 'switch':
      return <SwitchField {...simple} field={field} />;
    case 'text':
      return words.isColour ? (
        <ColourField {...simple} field={field} />
      ) : (
        <TextField {...simple} field={field} />
      );
    case 'object':
      return null;
  }
}

interface SimpleFieldProps<Kind extends Field['kind']> {
  readonly field: Extract<Field, { readonly kind: Kind }>;
  readonly label: string;
  readonly value: ParamValue;
  readonly explanation: string;
  readonly onValue: (value: ParamValue) => void;
}

function RangeField({ field, label, value, explanation, onValue }: SimpleFieldProps<'range'>) {
  const { name, min, max, step, initial } = field;
  return (
    <div className={styles.field}>
      <div className={styles.labelled}>
        <label className={styles.label} htmlFor={name}>
          {label}
        </label>
        <output htmlFor={name}>{String(value ?? initial)}</output>
      </div>
      <input
        id={name}
        className={styles.range}
        type="range"
        min={min}
        max={max}
        step={step}
        value={Number(value ?? initial)}
        aria-describedby={explanation ? `${name}-means` : undefined}
        onChange={(event) => onValue(event.currentTarget.valueAsNumber)}
      />
      <Explanation name={name}>{explanation}</Explanation>
    </div>
  );
}

function SwitchField({ field: { name }, label, value, explanation, onValue }: SimpleFieldProps<'switch'>) {
  return (
    <div className={styles.field}>
      <label className={styles.switch}>
        <span className={styles.label}>{label}</span>
        <input
          type="checkbox"
          checked={value === true}
          aria-describedby={explanation ? `${name}-means` : undefined}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
      </label>
      <Explanation name={name}>{explanation}</Explanation>
    </div>
  );
}

/** Line of text. An empty one leaves the choice to the operation. */
function TextField({ field: { name }, label, value, explanation, onValue }: SimpleFieldProps<'text'>) {
  const text = String(value ?? '');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={name}>
        {label}
      </label>
      <input
        id={name}
        className={styles.text}
        // Read when it is left: a half-typed text may not be valid.
        key={text}
        defaultValue={text}
        aria-describedby={explanation ? `${name}-means` : undefined}
        onBlur={({ currentTarget }) => {
          const typed = currentTarget.value.trim();
          if (typed !== text) onValue(typed === '' ? undefined : typed);
        }}
      />
      <Explanation name={name}>{explanation}</Explanation>
    </div>
  );
}

/** CSS colour, typed or picked. An empty one leaves the choice to the operation. */
function ColourField(props: SimpleFieldProps<'text'>) {
  const { label, value, onValue } = props;
  const isHex = typeof value === 'string' && /^#[\da-f]{6}$/i.test(value);
  return (
    <div className={styles.colour}>
      <TextField {...props} />
      <input
        type="color"
        aria-label={`${label}, from the palette`}
        value={isHex ? value : '#ffffff'}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  );
}

/** Says what the value of a field means, where that is not plain. */
function Explanation({ name, children }: { readonly name: string; readonly children: string }) {
  if (children === '') return null;
  return (
    <p id={`${name}-means`} className={styles.explanation}>
      {children}
    </p>
  );
}

/** Offers a few values as checkboxes. The last checked one stays checked, since an empty list is invalid. */
function ListField({ field, words, chosen, explanation, onChange }: ListFieldProps) {
  const { name, values } = field;
  return (
    <ChoiceGroup
      type="checkbox"
      label={words.label}
      name={name}
      values={values}
      getLabel={(value) => words.choices?.[value] ?? String(value)}
      isChecked={(value) => chosen.includes(value)}
      explanation={explanation}
      onPress={(value) => onChange(toggleValue(values, chosen, value))}
    />
  );
}

/** Section of settings that is closed at first, and says what is changed in it. Absent when none of them matters. */
export function FoldedForm({ children, ...form }: FoldedFormProps) {
  const { title, fields, wording, values } = form;
  if (!fields.some(({ name }) => wording.fields[name]?.isRelevant?.(values) !== false)) return null;
  const changed = summarise(changedFields(fields, values), wording, values);
  return (
    <FoldedSettings title={title} summary={changed}>
      {children ?? <ParamsForm name={title} {...form} />}
    </FoldedSettings>
  );
}
