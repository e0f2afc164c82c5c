import { getKeys } from '../../../models/core/records.ts';

interface ChoiceRowProps<Value extends string> {
  /** Name for screen readers alone. */
  readonly label: string;
  /** Name shared by the radio buttons. */
  readonly name: string;
  /** Labels of the values, in order. */
  readonly choices: Readonly<Partial<Record<Value, string>>>;
  readonly value: Value;
  readonly className: string | undefined;
  /** Class of each choice. */
  readonly choiceClassName?: string | undefined;
  readonly onChoose: (value: Value) => void;
}

/** Offers a few values in a row, without a visible label. */
export function ChoiceRow<Value extends string>(props: ChoiceRowProps<Value>) {
  const { label, name, choices, value, className, choiceClassName, onChoose } = props;
  return (
    <fieldset className={className}>
      <legend className="sr-only">{label}</legend>
      {getKeys(choices).map((each) => (
        <label key={each} className={choiceClassName} data-value={each}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={value === each}
            onChange={() => onChoose(each)}
          />
          <span>{choices[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}
