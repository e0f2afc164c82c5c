import { OperationError } from '../../../models/core/operation/errors.ts';

const DATA_URI = /^data:[^,]{0,150};base64,/i;

/**
 * Decodes base64 from a user, raw or as a data URI; padding may be missing (RFC 4648, section 4).
 * @throws OperationError `bad_request` for anything else, for the caller to prefix with the field
 */
export function decodeBase64(text: string): Buffer<ArrayBuffer> {
  const [prefix = ''] = DATA_URI.exec(text) ?? [];
  const digits = text.slice(prefix.length).replace(/={0,2}$/, '');
  // Buffer skips invalid characters.
  if (digits.length === 0 || digits.length % 4 === 1 || !/^[A-Za-z0-9+/]*$/.test(digits)) {
    throw new OperationError('bad_request', 'must be base64, raw or as a data: URI, and not empty.');
  }
  return Buffer.from(digits, 'base64');
}
