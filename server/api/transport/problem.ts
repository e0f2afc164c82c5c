import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import {
  ERROR_CODE_HEADER,
  type ErrorCode,
  type ErrorOverrides,
  getProblem,
  isErrorCode,
  isTemporaryError,
  OperationError,
} from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import type { Logger } from '../../base/log.ts';
import { findOutage } from '../../base/outage.ts';
import { ANY_ORIGIN_HEADERS, allowAnyOrigin } from './cross-origin.ts';

/** Response as Node writes it. */
export interface FormattedProblem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Header that names the request in the log, and in the body of its error. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Body of every response without success. */
export interface ProblemBody {
  /** Short title. */
  readonly error: string;
  readonly message: string;
  readonly code: ErrorCode;
  /** Path in the body, or name of a header, where the error is about one. */
  readonly field?: string;
  /** Id of the job where there is one, else of the HTTP request. */
  readonly request_id: string;
}

/** Error, as far as its response tells it. */
export interface ProblemCause {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field?: string | null | undefined;
  /** Job that the error is about. */
  readonly jobId?: string | undefined;
}

/** Default wait where no better value is known. */
const RETRY_AFTER_SECONDS: Readonly<Record<number, string>> = { 429: '60', 503: '5', 507: '60' };

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

/**
 * Builds the status and body of an error.
 * @param requestId of the HTTP request, for an error that is about no job
 */
export function buildProblem(
  { code, message, field, jobId }: ProblemCause,
  requestId: string,
  { status, title } = getProblem(code),
): { readonly status: number; readonly body: ProblemBody } {
  const body = { error: title, message, code, ...(field && { field }), request_id: jobId ?? requestId };
  return { status, body };
}

/** Formats the response to a request that no handler sees; its connection closes. */
export function formatProblem(cause: ProblemCause): FormattedProblem {
  const requestId = randomUUID();
  const { status, body } = buildProblem(cause, requestId);
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    [ERROR_CODE_HEADER]: cause.code,
    [REQUEST_ID_HEADER]: requestId,
    connection: 'close',
    // The path is not read yet, and nothing here is anybody's own.
    ...ANY_ORIGIN_HEADERS,
  };
  return { status, headers, text };
}

/** Writes a response for a connection that has no response object. */
export function serializeProblem({ status, headers, text }: FormattedProblem): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}

/** Logs what a request handler threw and responds 500 in JSON; a response that has begun is cut off. */
export async function respondInternalError(
  thrown: unknown,
  response: ServerResponse,
  log: Logger,
): Promise<void> {
  const { status, headers, body } = allowAnyOrigin(problemResponse(thrown, { log }));
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, Object.fromEntries(headers)).end(await new Response(body).text());
}
