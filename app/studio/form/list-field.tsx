'use client';

import { type Field, toggleValue } from '../tools/fields.ts';
import type { FieldWording } from '../tools/wording.ts';
import { ChoiceGroup } from './choice-group.tsx';

interface ListFieldProps {
  readonly field: Extract<Field, { kind: 'list' }>;
  readonly words: FieldWording;
  readonly chosen: readonly (string | number)[];
  /** Explanation of the selected value. */
  readonly explanation: string;
  readonly onChange: (chosen: readonly (string | number)[]) => void;
}

/** Offers a few values as checkboxes. The last checked one stays checked, since an empty list is invalid. */
export function ListField({ field, words, chosen, explanation, onChange }: ListFieldProps) {
  const { name, values } = field;
  return (
    <ChoiceGroup
      type="checkbox"
      label={words.label}
      name={name}
      values={values}
      labelOf={(value) => words.choices?.[value] ?? String(value)}
      isChecked={(value) => chosen.includes(value)}
      explanation={explanation}
      onPress={(value) => onChange(toggleValue(values, chosen, value))}
    />
  );
}
