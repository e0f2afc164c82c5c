import { ERRORS } from './error-table.ts';
import { type ApiError, ConnectionError, readError } from './errors.ts';

const ATTEMPTS_MAX = 5;
const FIRST_PAUSE_MS = 500;
const PAUSE_MS_MAX = 60_000;
/** Statuses after which the same request may succeed, unless the code says otherwise. */
const RETRYABLE: readonly number[] = [429, 500, 502, 503, 504];
/** Status of a request whose Idempotency-Key is in use. The service then says when to come back. */
const CONFLICT = 409;

/**
 * Sends a request, as the global `fetch` does. It calls `onSent` with the bytes of the body that have left, where it
 * can tell.
 */
export type Fetch = (request: Request, onSent?: (bytes: number) => void) => Promise<Response>;

/** Patience of a client with a service that is out of reach or busy. */
export interface RetryOptions {
  /** First pause after a lost connection, which doubles each time. Defaults to 500. */
  readonly firstPauseMs?: number | undefined;
  /** Longest Retry-After that is waited for: a refusal that asks for more is thrown at once. Unlimited by default. */
  readonly retryAfterMsMax?: number | undefined;
}

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

interface Sending<Result> {
  readonly fetch: Fetch;
  /** Makes a new request for each attempt, since a body is sent once. */
  build(): Request;
  /** Reads a successful response. */
  read(response: Response): Promise<Result>;
  readonly onSent?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly retry?: RetryOptions | undefined;
}

/**
 * Sends a request that is safe to repeat, up to five times: after a lost connection, or a status that may pass. Waits
 * for the seconds of Retry-After, at most a minute, or else twice as long each time.
 * @throws ApiError for a refusal, ConnectionError when the service cannot be reached, or the signal's reason
 */
export async function send<Result>(sending: Sending<Result>): Promise<Result> {
  const { fetch, build, read, onSent, signal, retry = {} } = sending;
  const { firstPauseMs = FIRST_PAUSE_MS, retryAfterMsMax = Number.POSITIVE_INFINITY } = retry;
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS_MAX;
    let waitMs = firstPauseMs * 2 ** (attempt - 1);
    signal?.throwIfAborted();
    const request = build();
    try {
      const response = await fetch(request, onSent);
      if (response.ok) return await read(response);
      const refusal = await readError(response);
      const askedMs = (refusal.retryAfterSeconds ?? 0) * 1000;
      if (isLast || !mayRetry(refusal) || askedMs > retryAfterMsMax) throw refusal;
      if (refusal.retryAfterSeconds !== null) waitMs = askedMs;
    } catch (thrown) {
      signal?.throwIfAborted();
      // fetch rejects with a TypeError when it finds no service or loses the connection.
      if (!(thrown instanceof TypeError)) throw thrown;
      if (isLast) throw createConnectionError(request, thrown);
    }
    await pause(Math.min(waitMs, PAUSE_MS_MAX), signal);
  }
}

/** Reports whether the same request may succeed later. A response without a code is a proxy's. */
function mayRetry({ status, code, retryAfterSeconds }: ApiError): boolean {
  if (status === CONFLICT) return retryAfterSeconds !== null;
  const known = code === null ? undefined : ERRORS[code];
  return RETRYABLE.includes(status) && (known?.isTemporary ?? true);
}

function createConnectionError({ url }: Request, cause: TypeError): ConnectionError {
  return new ConnectionError(`${new URL(url).origin} cannot be reached.`, { cause });
}
