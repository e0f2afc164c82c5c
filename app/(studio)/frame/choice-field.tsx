'use client';

import styles from './choice-field.module.css';
import form from './params-form.module.css';

interface ChoiceFieldProps<Value extends string> {
  readonly label: string;
  /** Of the group: one of it is chosen. */
  readonly name: string;
  /** What each is called, in order. */
  readonly choices: Readonly<Record<Value, string>>;
  readonly value: Value;
  /** What the present choice means. */
  readonly explanation: string;
  readonly disabled?: boolean;
  readonly onChange: (value: Value) => void;
}

/** One of a few, all in sight, with what the chosen one means below. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, name, choices, value, explanation, disabled, onChange } = props;
  const values = Object.keys(choices) as Value[];
  const explanationId = `${name}-means`;
  return (
    <fieldset className={form.field} disabled={disabled} aria-describedby={explanationId}>
      <legend className={form.label}>{label}</legend>
      <div className={styles.choices} data-few={values.length <= 3}>
        {values.map((each) => (
          <label key={each} className={styles.choice}>
            <input
              type="radio"
              className="unseen-input"
              name={name}
              value={each}
              checked={value === each}
              onChange={() => onChange(each)}
            />
            <span>{choices[each]}</span>
          </label>
        ))}
      </div>
      <p id={explanationId} className={form.explanation}>
        {explanation}
      </p>
    </fieldset>
  );
}
