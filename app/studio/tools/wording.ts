import { getFormat } from '../../../models/media/image/find-format.ts';
import type { Field, ParamValues } from './fields.ts';

/** Name and explanation of a format. */
export interface FormatWords {
  readonly name: string;
  readonly means: string;
}

/** Texts for one parameter. */
export interface FieldWording {
  readonly label: string;
  /** Labels of the values to offer, in order. Values left out are not offered. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Explains the current value. */
  explain(values: ParamValues): string;
  /** Whether the parameter has an effect, given the others. */
  isRelevant?(values: ParamValues): boolean;
}

/** Texts of a tool. */
export interface Wording {
  readonly lead: string;
  /** Start of the primary button's label, before the files: `Convert`, `Remove background from`. */
  readonly verb: string;
  /** Whether results show their change in size. */
  readonly showsSizeChange: boolean;
  /** Whether a download saves one result of each file, of several. */
  readonly savesOne?: boolean;
  /** Names the format in the download button's label. */
  readonly downloads?: string;
  readonly fields: Readonly<Record<string, FieldWording>>;
}

/** Summarises the values: `JPG · Quality 92`. */
export function summarise(
  fields: readonly Field[],
  wording: Pick<Wording, 'fields'>,
  values: ParamValues,
): string {
  const parts = fields.map(({ kind, name }) => {
    const words = wording.fields[name];
    const value = values[name];
    if (!words || value === false || value === undefined || words.isRelevant?.(values) === false) return '';
    const getName = (each: string | number) => words.choices?.[String(each)] ?? String(each);
    if (kind === 'choice') return getName(String(value));
    if (Array.isArray(value)) return value.map(getName).join(', ');
    return kind === 'switch' ? words.label : `${words.label} ${value}`;
  });
  return parts.filter(Boolean).join(' · ');
}

/** Returns the words of image formats by their ids. */
export function imageFormatWords<Format extends string>(
  ids: readonly Format[],
): Readonly<Record<Format, FormatWords>> {
  const words = ids.map((id) => {
    const { name, advice } = getFormat(id);
    return [id, { name, means: advice }];
  });
  return Object.fromEntries(words);
}
