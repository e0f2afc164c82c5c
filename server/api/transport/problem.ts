import { randomUUID } from 'node:crypto';
import {
  ERROR_CODE_HEADER,
  type ErrorOverrides,
  getProblem,
  isErrorCode,
  isTemporaryError,
  OperationError,
} from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context/context.ts';
import { findOutage } from '../../base/outage.ts';
import { buildProblem, REQUEST_ID_HEADER } from '../problems/build-problem.ts';

/** Default wait where no better value is known. */
const RETRY_AFTER_SECONDS: Readonly<Record<number, string>> = { 429: '60', 503: '5' };

/** Creates an uncacheable JSON response. An error has its code as a header, and Retry-After where a retry may help. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(status >= 400 && errorHeaders(status, body)),
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
 * After the client has left they follow from that, and no one reads the response.
 */
export function problemResponse(
  thrown: unknown,
  ctx: Pick<Context, 'log' | 'traceId'>,
  { faults, signal }: ProblemOptions = {},
): Response {
  const error = toOperationError(thrown, signal);
  const traceId = ctx.traceId ?? randomUUID();
  const { status, body } = buildProblem(error, traceId, getProblem(error.code, faults));
  if (status >= 500) ctx.log.error({ err: thrown, traceId }, 'request failed');
  const { retryAfterSeconds } = error;
  return jsonResponse(status, body, {
    [REQUEST_ID_HEADER]: traceId,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  });
}

/**
 * Returns the error that a client may read for anything thrown.
 * @param signal aborts when the client disconnects: errors of ours then follow from that
 */
export function toOperationError(thrown: unknown, signal?: AbortSignal): OperationError {
  const known = thrown instanceof OperationError ? thrown : findOutage(thrown);
  if (known) return known;
  if (signal?.aborted) return clientDisconnected(thrown);
  return new OperationError('internal', 'An error occurred on our side. Nothing was charged; try again.');
}

export function clientDisconnected(cause: unknown): OperationError {
  return new OperationError('cancelled', 'The client disconnected before the response.', { cause });
}

function errorHeaders(status: number, body: unknown): Record<string, string> {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  const seconds = isErrorCode(code) && !isTemporaryError(code) ? undefined : RETRY_AFTER_SECONDS[status];
  return {
    ...(isErrorCode(code) && { [ERROR_CODE_HEADER]: code }),
    ...(seconds !== undefined && { 'retry-after': seconds }),
  };
}
