import type { Field, ParamValues } from './fields.ts';

/** How a tool words one parameter. */
export interface FieldWording {
  readonly label: string;
  /** Names for the values to offer, in order. Values left out are not offered. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What the value now chosen means. */
  explain(values: ParamValues): string;
  /** Whether the parameter plays a part, given the others. */
  matters?(values: ParamValues): boolean;
}

/** What a tool calls things. */
export interface Wording {
  readonly title: string;
  readonly lead: string;
  /** The primary button: `Convert`. */
  readonly verb: string;
  /** Whether results are to be told by how much smaller or larger they are. */
  readonly isAboutSize: boolean;
  readonly fields: Readonly<Record<string, FieldWording>>;
}

/** The values in a few words: `JPG · Quality 92`. */
export function summarise(fields: readonly Field[], wording: Wording, values: ParamValues): string {
  const parts = fields.map(({ kind, name }) => {
    const words = wording.fields[name];
    const value = values[name];
    if (!words || value === false || words.matters?.(values) === false) return '';
    if (kind === 'choice') return words.choices?.[String(value)] ?? String(value);
    return kind === 'switch' ? words.label : `${words.label} ${value}`;
  });
  return parts.filter(Boolean).join(' · ');
}
