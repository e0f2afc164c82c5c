import type { ComponentType } from 'react';
import { getFormat } from '../../../models/media/image/find-format.ts';
import { type Field, getValues, type ParamValues } from './fields.ts';

/** Name and explanation of a format. */
export interface FormatWords {
  readonly name: string;
  readonly means: string;
}

/** Texts for one parameter. */
export interface FieldWording {
  readonly label: string;
  /**
   * Labels of the values to offer, in order. Values left out are not offered; an empty one leaves the choice to the
   * operation.
   */
  readonly choices?: Readonly<Record<string, string>>;
  /** Pictures of the choices, by value. */
  readonly icons?: Readonly<Record<string, ComponentType<{ readonly size?: number }>>>;
  /** Whether the pictures stand for the labels, in three columns: a map of positions. */
  readonly isMap?: true;
  /** Unit in which a number is typed, with the number of the operation's own units in one. */
  readonly unit?: { readonly name: string; readonly size: number };
  /** Whether a text is a CSS colour. */
  readonly isColour?: true;
  /** Explains the current value; empty where its label says it all. */
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
  readonly showsSizeChange?: true;
  /** Whether a download saves one result of each file, of several. */
  readonly savesOne?: boolean;
  /** Names the format in the download button's label. */
  readonly downloads?: string;
  readonly fields: Readonly<Record<string, FieldWording>>;
}

/** Returns the values of the fields that have an effect: the operation refuses some of the others. */
export function getRelevantValues(
  fields: readonly Field[],
  wording: Pick<Wording, 'fields'>,
  values: ParamValues,
): ParamValues {
  const relevant = fields.filter(({ name }) => wording.fields[name]?.isRelevant?.(values) !== false);
  return getValues(relevant, values);
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
    if (kind === 'switch' || kind === 'object') return words.label;
    const { unit } = words;
    return unit && typeof value === 'number'
      ? `${words.label} ${value / unit.size} ${unit.name}`
      : `${words.label} ${value}`;
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
