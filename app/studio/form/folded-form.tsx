'use client';

import { ChevronDown } from 'lucide-react';
import { changedFields, type Field, type ParamValues } from '../tools/fields.ts';
import { summarise, type Wording } from '../tools/wording.ts';
import styles from './folded-form.module.css';
import { ParamsForm } from './params-form.tsx';

interface FoldedFormProps {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly wording: Pick<Wording, 'fields'>;
  readonly values: ParamValues;
  readonly disabled: boolean;
  readonly onChange: (values: ParamValues) => void;
}

/** Section of settings that is closed at first, and says what is changed in it. Absent when none of them matters. */
export function FoldedForm({ title, fields, wording, values, disabled, onChange }: FoldedFormProps) {
  if (!fields.some(({ name }) => wording.fields[name]?.isRelevant?.(values) !== false)) return null;
  const changed = summarise(changedFields(fields, values), wording, values);
  return (
    <details className={styles.folded}>
      <summary>
        <span>{title}</span>
        <span className={styles.changed}>{changed}</span>
        <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
      </summary>
      <ParamsForm
        name={title}
        fields={fields}
        wording={wording}
        values={values}
        disabled={disabled}
        onChange={onChange}
      />
    </details>
  );
}
