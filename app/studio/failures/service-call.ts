import { ApiError, ConnectionError, readError } from '../../../clients/typescript/src/errors.ts';
import {
  codeOfTitle,
  type ErrorCode,
  isErrorCode,
  OperationError,
} from '../../../models/core/operation/errors.ts';
import { ServerError } from './server-error.ts';

/**
 * Sends a request to a route of the pages' own, once.
 * @throws ServerError with the service's own message; OperationError `unavailable` when it cannot be reached; the
 *   signal's reason once aborted
 */
export async function callService(send: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
  const response = await send().catch(() => null);
  signal?.throwIfAborted();
  if (response === null) throw unreachable();
  if (!response.ok) throw failureOf(await readError(response));
  return response;
}

/** Turns what the client throws into a failure of the studio. Anything else stays as it is. */
export function failureOf(thrown: unknown): unknown {
  if (thrown instanceof ConnectionError) return unreachable(thrown);
  return thrown instanceof ApiError
    ? new ServerError(codeOf(thrown), thrown.message, { cause: thrown })
    : thrown;
}

function unreachable(cause?: unknown): OperationError {
  const message = 'The server cannot be reached. Check your connection and try again.';
  return new OperationError('unavailable', message, { cause });
}

/** Returns the code of a refusal: several share a title, and a replayed response has only that. */
function codeOf({ code, title }: ApiError): ErrorCode {
  return isErrorCode(code) ? code : (codeOfTitle(title) ?? 'internal');
}
