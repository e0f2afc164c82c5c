import { ApiError } from './errors.ts';

const ATTEMPTS_MAX = 5;
const FIRST_PAUSE_MS = 500;
const PAUSE_MS_MAX = 30_000;
/** Statuses after which the same request may succeed. */
const RETRYABLE: readonly number[] = [429, 500, 502, 503, 504];

type Fetch = (request: Request) => Promise<Response>;

/** Waits, until the signal aborts: then it rejects with the signal's reason. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Sends a request that is safe to repeat, up to five times: after a lost connection, or a status that may pass. Waits
 * for the seconds of Retry-After, or else twice as long each time.
 * @param build makes the request anew for each attempt, since a body is sent once
 * @returns the JSON of a successful response
 * @throws ApiError for any other, TypeError when the service cannot be reached, or the signal's reason
 */
export async function sendJson(fetch: Fetch, build: () => Request, signal?: AbortSignal): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS_MAX;
    const response = await fetch(build()).catch((thrown: unknown) => {
      signal?.throwIfAborted();
      if (isLast) throw thrown;
      return null;
    });
    if (response?.ok) return await response.json();
    if (response && (isLast || !RETRYABLE.includes(response.status))) throw await errorOf(response);
    const waitSeconds = Number(response?.headers.get('retry-after') ?? Number.NaN);
    await response?.body?.cancel();
    const usualMs = FIRST_PAUSE_MS * 2 ** (attempt - 1);
    await pause(Math.min(Number.isFinite(waitSeconds) ? waitSeconds * 1000 : usualMs, PAUSE_MS_MAX), signal);
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as { message?: unknown } | null;
  const message = typeof body?.message === 'string' ? body.message : `HTTP status ${response.status}`;
  return new ApiError(response.status, response.headers.get('error-code'), message);
}
