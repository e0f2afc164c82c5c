/** Parameter as the form shows it, read from the operation's own schema. */
export type Field =
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly values: readonly (string | number)[];
      /** Undefined leaves the choice to the operation. */
      readonly initial: string | number | undefined;
    }
  | {
      readonly kind: 'range';
      readonly name: string;
      readonly min: number;
      readonly max: number;
      readonly step: number;
      readonly initial: number;
    }
  | {
      /** Number without a natural upper limit, or one with an automatic default. */
      readonly kind: 'number';
      readonly name: string;
      readonly min: number | undefined;
      readonly max: number | undefined;
      readonly isInteger: boolean;
      /** Whether the operation decides when the value is missing; that is then the initial state. */
      readonly isOptional: boolean;
      readonly initial: number | undefined;
    }
  | {
      /** One or more of a few values. */
      readonly kind: 'list';
      readonly name: string;
      readonly values: readonly (string | number)[];
      readonly initial: readonly (string | number)[];
    }
  | { readonly kind: 'switch'; readonly name: string; readonly initial: boolean }
  | { readonly kind: 'text'; readonly name: string; readonly initial: string | undefined }
  /** Several numbers by name, for which a tool has its own controls. */
  | { readonly kind: 'object'; readonly name: string; readonly initial: undefined };

/** Value of a parameter. `undefined` leaves the choice to the operation. */
export type ParamValue =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | Readonly<Record<string, number>>
  | undefined;

export type ParamValues = Readonly<Record<string, ParamValue>>;

export function initialValues(fields: readonly Field[]): ParamValues {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial]));
}

/** Returns the values with those replaced that are missing, or are no longer offered: kept ones may be older. */
export function validValues(fields: readonly Field[], values: ParamValues): ParamValues {
  const isOffered = (field: Field) => {
    const value = values[field.name];
    if (field.kind === 'choice' && value !== field.initial)
      return field.values.some((each) => each === value);
    return field.name in values;
  };
  const missing = fields.filter((field) => !isOffered(field));
  return missing.length === 0 ? values : { ...values, ...initialValues(missing) };
}

/** Returns the values of some of the fields. */
export function getValues(fields: readonly Field[], values: ParamValues): ParamValues {
  return Object.fromEntries(fields.map(({ name }) => [name, values[name]]));
}

/** Reports whether two forms hold the same values. */
export function areSameValues(one: ParamValues, other: ParamValues): boolean {
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => toText(one[name]) === toText(other[name]));
}

/** Returns the fields whose values differ from their initial ones. */
export function changedFields(fields: readonly Field[], values: ParamValues): readonly Field[] {
  return fields.filter(({ name, initial }) => toText(values[name]) !== toText(initial));
}

function toText(value: ParamValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Adds or removes one value, in the order of all, but never removes the last. */
export function toggleValue<Value extends string | number>(
  values: readonly Value[],
  chosen: readonly Value[],
  value: Value,
): readonly Value[] {
  const next = values.filter((each) => chosen.includes(each) !== (each === value));
  return next.length > 0 ? next : chosen;
}

export type NumberField = Extract<Field, { kind: 'number' }>;

/** Numbers that a control takes; any that is not empty where nothing is said. */
export type NumberBounds = Partial<Pick<NumberField, 'min' | 'max' | 'isInteger' | 'isOptional'>>;

/**
 * Parses a typed number: clamped to its bounds, and rounded where it must be whole.
 * @param typed NaN when the control is empty
 * @param before previous value, for a control that may not be empty
 */
export function readNumber(
  { min = -Infinity, max = Infinity, isInteger = false, isOptional = false }: NumberBounds,
  typed: number,
  before: number | undefined,
): number | undefined {
  if (Number.isNaN(typed)) return isOptional ? undefined : before;
  const bounded = Math.min(Math.max(typed, min), max);
  return isInteger ? Math.round(bounded) : bounded;
}
