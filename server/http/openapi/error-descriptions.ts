import type { ErrorCode } from '../../../models/operation/errors.ts';

/** Descriptions of the faults that a request may meet. */
export const ERROR_DESCRIPTIONS = {
  bad_request: 'A field is missing, unknown, of the wrong type or out of range.',
  unfetchable: 'The input cannot be fetched.',
  unsupported: 'The input is of a type or size that is not accepted.',
  too_large: 'The input has too many bytes.',
  unauthorized: 'The key is missing, unknown, expired or revoked.',
  insufficient_balance: 'The wallet or the key’s monthly cap does not cover the price.',
  forbidden: 'The key may not run this operation.',
  not_found: 'Nothing of this kind belongs to this key’s account.',
  conflict: 'The first request with this Idempotency-Key is still running.',
  unprocessable: 'This Idempotency-Key was used for another request, or the input turned out to be damaged.',
  too_many_requests:
    'Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait.',
  internal: 'A fault on our side; nothing was charged.',
  unavailable: 'The service cannot accept jobs now; Retry-After says how long to wait.',
  timeout: 'The result did not come in time; nothing was charged.',
} as const satisfies Partial<Record<ErrorCode, string>>;

export type DescribedError = keyof typeof ERROR_DESCRIPTIONS;
