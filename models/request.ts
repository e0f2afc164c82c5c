import { z } from 'zod';
import { OperationError } from './errors.ts';
import type { InputField, Operation } from './operation.ts';
import { base64File, httpUrl, parseParams } from './params.ts';

/** A request, parted into where the input is and how to run. */
export interface OperationRequest {
  /** The input field that was given. */
  readonly field: string;
  /** What stands in it: a URL, or base64. */
  readonly value: string;
  readonly params: Record<string, unknown>;
}

/** The JSON body of an operation's POST: its input fields and its params side by side. */
export function requestSchema(operation: Operation): z.ZodObject {
  const fields = Object.entries(operation.inputs);
  const inputs = fields.map(([name, input]) => {
    const field = inputSchema(input, operation);
    return [name, fields.length > 1 ? field.optional() : field] as const;
  });
  return z.strictObject({ ...Object.fromEntries(inputs), ...operation.params.shape });
}

function inputSchema(input: InputField, operation: Operation): z.ZodString {
  const { encoding, description } = input;
  return encoding === 'url' ? httpUrl(description) : base64File(description, bytesMaxOf(operation, input));
}

/** What a file in an input field may have. */
export function bytesMaxOf({ limits }: Pick<Operation, 'limits'>, { bytesMax }: InputField): number {
  return bytesMax ?? limits.inputBytesMax;
}

/**
 * Checks a body.
 * @throws OperationError `bad_request` naming the field at fault
 */
export function parseRequest(operation: Operation, body: unknown): OperationRequest {
  const parsed = parseParams(requestSchema(operation), body);
  const names = Object.keys(operation.inputs);
  const given = names.filter((name) => parsed[name] !== undefined);
  const [field] = given;
  if (field === undefined || given.length > 1) {
    throw new OperationError('bad_request', `${names.join(', ')}: exactly one of them must be given.`);
  }
  const params = Object.fromEntries(Object.entries(parsed).filter(([name]) => !names.includes(name)));
  return { field, value: String(parsed[field]), params };
}
