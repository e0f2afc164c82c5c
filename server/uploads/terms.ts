import { OperationError } from '../../models/errors.ts';
import type { InputField } from '../../models/operation.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { bytesMaxOf } from '../../models/request.ts';

/** How long an upload waits for its request. */
export const UPLOAD_HOURS = 1;

/** The largest input that any operation takes. */
export const UPLOAD_BYTES_MAX = Math.max(
  ...Object.values(OPERATIONS).flatMap((operation) =>
    Object.values<InputField>(operation.inputs).map((input) => bytesMaxOf(operation, input)),
  ),
);

/** What waits unused for one account, at most. */
export const WAITING_MAX = { uploads: 200, bytes: 2_000_000_000 } as const;

/** @returns the error for an upload that cannot be had, for the caller to put the field in front */
export function notUsable(): OperationError {
  return new OperationError(
    'bad_request',
    `no such upload is waiting for this account: each can be used in one request, within ${UPLOAD_HOURS} hour. Send the file to POST /api/uploads again.`,
  );
}
