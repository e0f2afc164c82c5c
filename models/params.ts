import { z } from 'zod';
import { OperationError } from './errors.ts';

const HTTP_URL = z
  .string()
  .max(4096)
  .regex(/^https?:\/\/[^\s]+$/i, 'must be an http:// or https:// URL');

/** A URL that a user gives. Whether it may be reached is decided where it is fetched. */
export function httpUrl(description: string): z.ZodString {
  return HTTP_URL.meta({ description, format: 'uri' });
}

/** `data:image/png;base64,` and the like, in front of the bytes. */
const DATA_URI_CHARACTERS_MAX = 200;

/** A file's bytes as a user sends them in JSON. Whether they are base64 is decided where they are decoded. */
export function base64File(description: string, bytesMax: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(Math.ceil(bytesMax / 3) * 4 + DATA_URI_CHARACTERS_MAX)
    .meta({ description: `${description} In base64, raw or as a data URI.`, contentEncoding: 'base64' });
}

/**
 * Checks params against their schema. Unknown fields are refused.
 * @throws OperationError `bad_request` with a message that names the first field at fault and what is allowed
 */
export function parseParams<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new OperationError('bad_request', describeIssue(result.error.issues[0]));
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'The request is not valid.';
  const field = issue.path.join('.') || 'body';
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${issue.keys.join(', ')}: unknown field. Remove it or correct its name.`;
    case 'invalid_type':
      if (issue.input === undefined) return `${field}: required, must be ${withArticle(issue.expected)}.`;
      return `${field}: must be ${withArticle(issue.expected)}.`;
    case 'invalid_value':
      if (issue.input === undefined) return `${field}: required, must be one of ${issue.values.join(', ')}.`;
      return `${field}: must be one of ${issue.values.join(', ')}.`;
    case 'too_small':
      return `${field}: must ${issue.origin === 'array' ? 'have' : 'be'} at least ${issue.minimum}${unitOf(issue.origin)}.`;
    case 'too_big':
      return `${field}: must ${issue.origin === 'array' ? 'have' : 'be'} at most ${issue.maximum}${unitOf(issue.origin)}.`;
    default:
      return `${field}: ${issue.message}.`;
  }
}

function unitOf(origin: string): string {
  return { string: ' characters long', array: ' items' }[origin] ?? '';
}

function withArticle(noun: string): string {
  const name = noun === 'int' ? 'integer' : noun;
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}
