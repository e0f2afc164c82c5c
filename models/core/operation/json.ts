import { OperationError } from './errors.ts';

/** Value that JSON can hold, and so the database and every message between processes. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * Parses what a person wrote.
 * @throws OperationError `bad_request` for text that is no JSON
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OperationError('bad_request', 'This is not JSON. Check its commas, quotes and brackets.');
  }
}
