/** A parameter as the form shows it. All of it is read out of the operation's own schema. */
export type Field =
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly values: readonly string[];
      readonly initial: string;
    }
  | {
      readonly kind: 'range';
      readonly name: string;
      readonly min: number;
      readonly max: number;
      readonly initial: number;
    }
  | { readonly kind: 'switch'; readonly name: string; readonly initial: boolean };

export type ParamValues = Readonly<Record<string, string | number | boolean>>;

export function initialValues(fields: readonly Field[]): ParamValues {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial]));
}
