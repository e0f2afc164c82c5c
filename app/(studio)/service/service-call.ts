import {
  codeOfTitle,
  ERROR_CODE_HEADER,
  type ErrorCode,
  isErrorCode,
  OperationError,
} from '../../../models/operation/errors.ts';
import { ServerError } from './server-error.ts';

const ATTEMPTS_MAX = 5;
/** First pause in milliseconds; doubles with each attempt. */
const FIRST_PAUSE_MS = 1_000;
/** Longest pause in milliseconds. Beyond it the visitor learns of the delay instead. */
const PAUSE_MS_MAX = 15_000;

/**
 * Sends a repeatable request, and retries while the service cannot be reached or asks to wait.
 * @throws ServerError with the service's own message; OperationError `unavailable` when it cannot be reached; the
 *   signal's reason once aborted
 */
export async function callService(
  send: () => Promise<Response>,
  signal: AbortSignal,
  { attemptsMax = ATTEMPTS_MAX } = {},
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const response = await send().catch(() => null);
    signal.throwIfAborted();
    if (response?.ok) return response;
    const pauseMs = pauseAfter(response, attempt);
    if (attempt === attemptsMax || pauseMs === null) throw await problemIn(response);
    await pause(pauseMs, signal);
  }
}

/**
 * Returns the pause before a retry in milliseconds.
 * @returns null when a retry would give the same response, or not soon
 */
function pauseAfter(response: Response | null, attempt: number): number | null {
  if (response === null) return FIRST_PAUSE_MS * 2 ** (attempt - 1);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return seconds * 1000 <= PAUSE_MS_MAX ? seconds * 1000 : null;
}

async function problemIn(response: Response | null): Promise<OperationError> {
  if (response === null) {
    return new OperationError(
      'unavailable',
      'The server cannot be reached. Check your connection and try again.',
    );
  }
  const body = (await response.json().catch(() => null)) as { error?: string; message?: string } | null;
  return new ServerError(
    codeIn(response, body?.error),
    body?.message ?? `The server responded with status ${response.status}. Try again.`,
  );
}

/** Returns the code of a failed response: several share a title, and a replayed response has only that. */
function codeIn({ headers }: Response, title: unknown): ErrorCode {
  const code = headers.get(ERROR_CODE_HEADER);
  return isErrorCode(code) ? code : (codeOfTitle(title) ?? 'internal');
}

/**
 * Waits.
 * @throws the signal's reason as soon as it aborts
 */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, durationMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}
