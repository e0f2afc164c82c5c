import { randomBytes } from 'node:crypto';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { InputField } from '../../../models/core/operation/inputs.ts';
import { getBytesMax } from '../../../models/core/operation/request.ts';
import { OPERATIONS } from '../../../models/registry.ts';

/** Lifetime of an unused upload. */
export const UPLOAD_HOURS = 1;

/** Largest input that any operation allows. */
export const UPLOAD_BYTES_MAX = Math.max(
  ...Object.values(OPERATIONS).flatMap((operation) =>
    Object.values<InputField>(operation.inputs).map((input) => getBytesMax(operation, input)),
  ),
);

/** Returns a token of 128 random bits. */
export function createToken(): string {
  return randomBytes(16).toString('base64url');
}

export function tooLarge(): OperationError {
  return new OperationError('body_too_large', `body: must be at most ${UPLOAD_BYTES_MAX} bytes.`);
}

/** Builds the error for an unavailable upload, for the caller to prefix with the field. */
export function unusableUpload(): OperationError {
  return new OperationError(
    'bad_request',
    `this account has no such unused upload: each can be used in one request, within ${UPLOAD_HOURS} hour. Send the file to POST /api/uploads again.`,
  );
}
