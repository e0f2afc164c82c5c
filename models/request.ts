import { z } from 'zod';
import { OperationError } from './errors.ts';
import type { Operation } from './operation.ts';
import { httpUrl, parseParams } from './params.ts';

/** The JSON body of an operation's POST: its input fields and its params side by side. */
export function requestSchema(operation: Operation): z.ZodObject {
  const fields = Object.entries(operation.inputs);
  const inputs = fields.map(([name, input]) => {
    const url = httpUrl(input.description);
    return [name, fields.length > 1 ? url.optional() : url] as const;
  });
  return z.strictObject({ ...Object.fromEntries(inputs), ...operation.params.shape });
}

/**
 * Checks a body and parts it into where the input is and how to run.
 * @throws OperationError `bad_request` naming the field at fault
 */
export function parseRequest(
  operation: Operation,
  body: unknown,
): { field: string; url: string; params: Record<string, unknown> } {
  const parsed = parseParams(requestSchema(operation), body);
  const names = Object.keys(operation.inputs);
  const given = names.filter((name) => parsed[name] !== undefined);
  const [field] = given;
  if (field === undefined || given.length > 1) {
    throw new OperationError('bad_request', `${names.join(', ')}: exactly one of them must be given.`);
  }
  const params = Object.fromEntries(Object.entries(parsed).filter(([name]) => !names.includes(name)));
  return { field, url: String(parsed[field]), params };
}
