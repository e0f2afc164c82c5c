import { expect } from 'vitest';
import { ERROR_CODES, ERRORS } from '../../../models/core/operation/error-table.ts';

/**
 * Returns the body that a refused request gets, for `toEqual`: its code is one of those that the table has for the
 * title, and a field follows where the error is about one.
 */
export function problemBody(title: string, message: unknown = expect.any(String)): object {
  const codes = ERROR_CODES.filter((code) => ERRORS[code].title === title);
  return expect.objectContaining({
    error: title,
    message,
    code: expect.stringMatching(new RegExp(`^(${codes.join('|')})$`)),
    request_id: expect.stringMatching(/^.{16,}$/),
  });
}
