'use client';

import styles from './choice-field.module.css';
import form from './params-form.module.css';

interface ChoiceGroupProps<Value extends string | number> {
  /** `radio` for one value, `checkbox` for several. */
  readonly type: 'radio' | 'checkbox';
  readonly label: string;
  /** Name shared by the group's inputs. */
  readonly name: string;
  readonly values: readonly Value[];
  getLabel(value: Value): string;
  isChecked(value: Value): boolean;
  /** Explanation of the selection. */
  readonly explanation: string;
  readonly disabled?: boolean | undefined;
  /** Called with the value that the visitor pressed. */
  readonly onPress: (value: Value) => void;
}

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
      getLabel={(each) => choices[each]}
      isChecked={(each) => each === value}
      onPress={onChange}
    />
  );
}

/** Offers a few values, all visible, with an explanation of the selection below. */
export function ChoiceGroup<Value extends string | number>(props: ChoiceGroupProps<Value>) {
  const { type, label, name, values, getLabel, isChecked, explanation, disabled, onPress } = props;
  const explanationId = `${name}-means`;
  return (
    <fieldset className={form.field} disabled={disabled} aria-describedby={explanationId}>
      <legend className={form.label}>{label}</legend>
      <div className={styles.choices} data-few={values.length <= 3}>
        {values.map((value) => (
          <label key={value} className={styles.choice}>
            <input
              type={type}
              className="visually-hidden"
              name={name}
              value={value}
              checked={isChecked(value)}
              onChange={() => onPress(value)}
            />
            <span>{getLabel(value)}</span>
          </label>
        ))}
      </div>
      <p id={explanationId} className={form.explanation}>
        {explanation}
      </p>
    </fieldset>
  );
}
