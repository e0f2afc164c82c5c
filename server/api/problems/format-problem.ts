import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { ERROR_CODE_HEADER } from '../../../models/core/operation/errors.ts';
import { ANY_ORIGIN_HEADERS } from '../origins/cross-origin.ts';
import { buildProblem, type ProblemCause, REQUEST_ID_HEADER } from './build-problem.ts';

/** Response as Node writes it. */
export interface FormattedProblem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
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
