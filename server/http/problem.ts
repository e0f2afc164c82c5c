import { OperationError, problemOf } from '../../models/errors.ts';
import type { Logger } from '../log.ts';

/** A JSON answer that no cache may keep. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });
}

/** The answer for anything that was thrown. What is not an OperationError is our fault: logged, and not shown. */
export function problem(thrown: unknown, log: Logger): Response {
  if (thrown instanceof OperationError) {
    const { status, title } = problemOf(thrown.code);
    if (status >= 500) log.error({ err: thrown }, 'request failed');
    return json(status, { error: title, message: thrown.message }, retryHeaders(status));
  }
  log.error({ err: thrown }, 'request failed');
  const { title } = problemOf('internal');
  return json(500, {
    error: title,
    message: 'Something failed on our side. Nothing was charged; try again.',
  });
}

/** How long to wait, where nobody knows better. */
const RETRY_AFTER_SECONDS: Readonly<Record<number, string>> = { 429: '60', 503: '5' };

function retryHeaders(status: number): Record<string, string> {
  const seconds = RETRY_AFTER_SECONDS[status];
  return seconds === undefined ? {} : { 'retry-after': seconds };
}
