'use client';

import { ChoiceGroup } from './choice-group.tsx';

interface ChoiceFieldProps<Value extends string> {
  readonly label: string;
  /** Name shared by the group's radio buttons. */
  readonly name: string;
  /** Labels of the values, in order. */
  readonly choices: Readonly<Record<Value, string>>;
  readonly value: Value;
  /** Explanation of the selected value. */
  readonly explanation: string;
  readonly disabled?: boolean;
  readonly onChange: (value: Value) => void;
}

/** Offers a few values as radio buttons. */
export function ChoiceField<Value extends string>({
  choices,
  value,
  onChange,
  ...group
}: ChoiceFieldProps<Value>) {
  return (
    <ChoiceGroup
      {...group}
      type="radio"
      values={Object.keys(choices) as Value[]}
      labelOf={(each) => choices[each]}
      isChecked={(each) => each === value}
      onPress={onChange}
    />
  );
}
