import { z } from 'zod';
import { isErrorCode, OperationError } from './errors.ts';
import { assertStorable } from './storable-text.ts';
import { formatFieldPath, truncateText, withArticle } from './text.ts';

const HTTP_URL = z
  .string()
  .max(4096, { abort: true })
  .regex(/^https?:\/\/[^\s][^\t\r\n]*$/i, 'must be an http:// or https:// URL');

/** Schema of a URL that a user gives. The fetching code decides whether it may be reached. */
export function httpUrl(description: string): z.ZodString {
  return HTTP_URL.meta({ description, format: 'uri' });
}

/** Part of an unknown field's name that a message repeats. */
const NAME_LENGTH_MAX = 100;
/** Room for a prefix such as `data:image/png;base64,` before the bytes. */
const DATA_URI_CHARACTERS_MAX = 200;

/** Schema of a file's bytes in JSON. The decoding code checks their size and whether they are valid base64. */
export function base64File(description: string, bytesMax: number): z.ZodString {
  const maxLength = Math.ceil(bytesMax / 3) * 4 + DATA_URI_CHARACTERS_MAX;
  return z
    .string()
    .min(1)
    .meta({
      description: `${description} In base64, raw or as a data URI.`,
      contentEncoding: 'base64',
      maxLength,
    });
}

/**
 * Schema of a list of some of a few values: never empty, repeats merged, in the order of `values`.
 * @param initial default list
 */
export function listParam<const Value extends string>(values: readonly Value[], initial: readonly Value[]) {
  return z
    .array(z.enum(values))
    .min(1)
    .transform((chosen) => values.filter((value) => chosen.includes(value)))
    .prefault([...initial]);
}

/**
 * Schema of one of a few whole numbers. Values below or above all of them count as the nearest.
 * @param values ascending
 * @param initial default number
 */
export function clampedParam<const Value extends number>(
  values: readonly [Value, ...Value[]],
  initial: Value,
) {
  const clamp = (number: number) => Math.min(Math.max(number, values[0]), values.at(-1) ?? values[0]);
  return z.int().transform(clamp).pipe(z.literal(values)).prefault(initial).meta({ enum: values });
}

/** Returns the stored params that the operation still knows: an older version may have had others. */
export function pickKnownParams({ params }: { readonly params: z.ZodObject }, stored: unknown): object {
  const known = Object.entries(stored ?? {}).filter(([name]) => Object.hasOwn(params.shape, name));
  return Object.fromEntries(known);
}

/**
 * Checks params against their schema and rejects unknown fields and text that cannot be stored.
 * @throws OperationError `bad_request` with a message that names the first invalid field and what is allowed, or the
 *   code that the schema gives to the issue in its params
 */
export function parseParams<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  assertStorable(value);
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const code = issue?.code === 'custom' ? issue.params?.code : undefined;
  const options = { kind: 'setting', field: issue && getField(issue) } as const;
  // A fault with its own code has a whole sentence, too.
  if (issue && isErrorCode(code)) throw new OperationError(code, issue.message, options);
  throw new OperationError('bad_request', describeIssue(issue), options);
}

/** Returns the path of the field that an issue is about; undefined for the body itself. */
function getField(issue: z.core.$ZodIssue): string | undefined {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const names = unknown.map((name) => truncateText(name, NAME_LENGTH_MAX));
  return formatFieldPath([...issue.path, ...names]) || undefined;
}

/** Describes an issue by its field and what is allowed, in one sentence. Parse with `reportInput` for it. */
export function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'The request is not valid.';
  const field = getField(issue) ?? 'body';
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${field}: unknown field. Remove it or correct its name.`;
    case 'invalid_type':
      if (issue.input === undefined) return `${field}: required, must be ${describeType(issue.expected)}.`;
      return `${field}: must be ${describeType(issue.expected)}.`;
    case 'invalid_value':
      if (issue.input === undefined) return `${field}: required, must be one of ${issue.values.join(', ')}.`;
      return `${field}: must be one of ${issue.values.join(', ')}.`;
    case 'too_small':
      return `${field}: must ${getBound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}.`;
    case 'too_big':
      return `${field}: must ${getBound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}.`;
    case 'invalid_format':
      if (issue.format === 'date') return `${field}: must be a date, such as 2026-01-31.`;
      if (issue.format === 'datetime')
        return `${field}: must be a time with its zone, such as 2026-01-31T09:00:00Z.`;
      return `${field}: ${issue.message}.`;
    default:
      return `${field}: ${issue.message}.`;
  }
}

function getBound(origin: string, relation: string, bound: number | bigint): string {
  const plural = bound === 1 || bound === 1n ? '' : 's';
  const unit = { string: ` character${plural} long`, array: ` item${plural}` }[origin] ?? '';
  return `${origin === 'array' ? 'have' : 'be'} ${relation} ${bound}${unit}`;
}

function describeType(expected: string): string {
  return withArticle(expected === 'int' ? 'integer' : expected);
}
