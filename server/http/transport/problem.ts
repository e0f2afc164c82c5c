import {
  ERROR_CODE_HEADER,
  type ErrorOverrides,
  OperationError,
  problemOf,
} from '../../../models/operation/errors.ts';
import type { Logger } from '../../base/log.ts';
import { findOutage } from '../../base/outage.ts';

/** Default wait where no better value is known. */
const RETRY_AFTER_SECONDS: Readonly<Record<number, string>> = { 429: '60', 503: '5' };

/** Creates an uncacheable JSON response, with Retry-After where its status needs it. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...retryHeaders(status),
      // RFC 9110, section 15.5.2.
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...headers,
    },
  });
}

interface ProblemOptions {
  /** Statuses and titles of the request's operation. */
  readonly faults?: ErrorOverrides | undefined;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal;
}

/**
 * Creates the response for anything thrown: 503 for an outage. Errors other than OperationError are our fault: logged,
 * and not shown.
 * After the client has left they follow from that, and nobody reads the response.
 */
export function problemResponse(
  thrown: unknown,
  log: Logger,
  { faults, signal }: ProblemOptions = {},
): Response {
  const known = thrown instanceof OperationError ? thrown : findOutage(thrown);
  if (known) {
    const { status, title } = problemOf(known.code, faults);
    if (status >= 500) log.error({ err: thrown }, 'request failed');
    const { message, retryAfterSeconds } = known;
    const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
    return jsonResponse(status, { error: title, message }, { ...wait, [ERROR_CODE_HEADER]: known.code });
  }
  if (signal?.aborted) return problemResponse(clientDisconnected(thrown), log);
  log.error({ err: thrown }, 'request failed');
  const { status, title } = problemOf('internal', faults);
  return jsonResponse(status, {
    error: title,
    message: 'An error occurred on our side. Nothing was charged; try again.',
  });
}

export function clientDisconnected(cause: unknown): OperationError {
  return new OperationError('cancelled', 'The client disconnected before the response.', { cause });
}

function retryHeaders(status: number): Record<string, string> {
  const seconds = RETRY_AFTER_SECONDS[status];
  return seconds === undefined ? {} : { 'retry-after': seconds };
}
