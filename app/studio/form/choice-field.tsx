'use client';

import { getKeys } from '../../../models/core/records.ts';
import type { FieldWording } from '../tools/wording.ts';
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
  /** Pictures of the values, in place of their labels where `isMap`. */
  readonly icons?: FieldWording['icons'];
  readonly isMap?: boolean | undefined;
  isChecked(value: Value): boolean;
  /** Explanation of the selection; empty where its label says it all. */
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
  readonly icons?: FieldWording['icons'];
  readonly isMap?: boolean | undefined;
  /** Explanation of the selected value; empty where its label says it all. */
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
      values={getValues(choices, group.isMap)}
      getLabel={(each) => choices[each]}
      isChecked={(each) => each === value}
      onPress={onChange}
    />
  );
}

/** Returns the values in order: a record puts numbers first, and so before an empty value. */
function getValues<Value extends string>(
  choices: Readonly<Record<Value, string>>,
  isMap = false,
): readonly Value[] {
  const values = getKeys(choices);
  return isMap ? values : values.toSorted((one, other) => Number(other === '') - Number(one === ''));
}

/** Offers a few values, all visible, with an explanation of the selection below. */
export function ChoiceGroup<Value extends string | number>(props: ChoiceGroupProps<Value>) {
  const { type, label, name, values, getLabel, icons, isMap, isChecked, explanation, disabled, onPress } =
    props;
  const explanationId = explanation ? `${name}-means` : undefined;
  return (
    <fieldset className={form.field} disabled={disabled} aria-describedby={explanationId}>
      <legend className={form.label}>{label}</legend>
      <div className={styles.choices} data-few={values.length <= 3} data-map={isMap}>
        {values.map((value) => (
          <label key={value} className={styles.choice} title={isMap ? getLabel(value) : undefined}>
            <input
              type={type}
              className="visually-hidden"
              name={name}
              value={value}
              checked={isChecked(value)}
              onChange={() => onPress(value)}
            />
            <span>
              <Icon icon={icons?.[value]} />
              <span className={isMap ? 'sr-only' : undefined}>{getLabel(value)}</span>
            </span>
          </label>
        ))}
      </div>
      {explanation && (
        <p id={explanationId} className={form.explanation}>
          {explanation}
        </p>
      )}
    </fieldset>
  );
}

function Icon({ icon: Picture }: { readonly icon: NonNullable<FieldWording['icons']>[string] | undefined }) {
  return Picture && <Picture size={20} />;
}
