import { ApiError, ConnectionError, readError } from '../../../clients/typescript/src/errors.ts';
import {
  codeOfTitle,
  type ErrorCode,
  isErrorCode,
  OperationError,
} from '../../../models/core/operation/errors.ts';

/** Failure that the server reported. Its message is for programmers: pages word its code. */
export class ServerError extends OperationError {
  readonly isOfServer = true;
}

/** Reports whether the server reported a failure. */
export function isServerError(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'isOfServer' in thrown;
}

const OUTDATED = 'This page is older than our server. Reload it and try again.';

/** Each failure of the server for the visitor: what happened, and what to do. */
export const SERVER_FAILURE_TEXTS: Readonly<Record<ErrorCode, string>> = {
  bad_request:
    "Our server can't run this file, or not with these settings. Change them, or run it on this device.",
  unfetchable: "Our server can't fetch the file. Check the link, or save the file and add it here.",
  source_unavailable: 'The website that has the file is not available now. Try again in a minute.',
  unsupported: "Our server can't run this kind of file, or one of this size. Choose another one.",
  too_large: 'This file is too large for our server. Make it smaller, or run it on this device.',
  model_not_found: OUTDATED,
  unauthorized: 'You are not signed in any more. Sign in, then try again.',
  insufficient_balance: 'Your wallet holds too little for this. Top it up, or run it on this device.',
  forbidden: 'Our server does not allow this. Reload the page, then try again.',
  not_found: OUTDATED,
  method_not_allowed: OUTDATED,
  conflict: 'Our server is still processing the same request. Wait a moment, then try again.',
  request_timeout: 'The request took too long to arrive. Check your connection and try again.',
  unsupported_encoding: OUTDATED,
  body_too_large: 'This file is too large for our server. Make it smaller, or run it on this device.',
  expectation_failed: OUTDATED,
  headers_too_large: OUTDATED,
  gone: 'The file is no longer on our server. Try again.',
  range_not_satisfiable: OUTDATED,
  unprocessable:
    'Our server could not run this file: it is damaged, or too large for a run. This cost nothing.',
  over_memory: 'This file needs more memory than our server gives a run. Make it smaller. This cost nothing.',
  canceled: 'The job was canceled. This cost nothing.',
  output_delivery_failed: 'The result could not be delivered. This cost nothing.',
  too_many_failures:
    'Too many of your recent files could not be run, so this one was not tried. Check the files, then try again later.',
  too_many_requests: 'Our server gets too many requests now. Wait a minute, then try again.',
  cancelled: 'The run was cancelled.',
  internal: 'Something went wrong on our server. Try again.',
  crashed: 'Something went wrong on our server. Try again.',
  interrupted: 'Something went wrong on our server. Try again.',
  over_time: 'This file takes our server too long. Make it smaller. This cost nothing.',
  engine_unavailable: "Our server doesn't have this model. Choose another one, or run it on this device.",
  category_unavailable:
    "Our server can't check for all of these categories. Choose fewer, or run it on this device.",
  unavailable: "Our server can't do this now. Try again in some minutes.",
  storage_full: 'Our server has no room for large files now. Try again later, or run it on this device.',
  timeout: 'Our server took too long. Try again.',
};

/**
 * Sends a request to a route of the pages' own, once.
 * @throws ServerError with the service's own message; OperationError `unavailable` when it cannot be reached; the
 *   signal's reason once aborted
 */
export async function callService(send: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
  const response = await send().catch(() => null);
  signal?.throwIfAborted();
  if (response === null) throw unreachable();
  if (!response.ok) throw getFailure(await readError(response));
  return response;
}

/** Turns what the client throws into a failure of the studio. Anything else stays as it is. */
export function getFailure(thrown: unknown): unknown {
  if (thrown instanceof ConnectionError) return unreachable(thrown);
  return thrown instanceof ApiError
    ? new ServerError(getCode(thrown), thrown.message, { cause: thrown })
    : thrown;
}

function unreachable(cause?: unknown): OperationError {
  const message = 'The server cannot be reached. Check your connection and try again.';
  return new OperationError('unavailable', message, { cause });
}

/** Returns the code of a refusal: several share a title, and a replayed response has only that. */
function getCode({ code, title }: ApiError): ErrorCode {
  return isErrorCode(code) ? code : (codeOfTitle(title) ?? 'internal');
}
