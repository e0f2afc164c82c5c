import { ERRORS } from './error-table.ts';
import { type ApiError, ConnectionError, readError } from './errors.ts';
import { VERSION } from './operations.ts';

type QueryValue = string | number | undefined;

/** Request to a path below `/api`, or to a whole URL. */
interface Call {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON, apart from a Blob. */
  readonly body?: object;
  /** Fields by name; the members of an object are written `name[key]`. */
  readonly query?: Readonly<Record<string, QueryValue | Readonly<Record<string, string>>>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with the bytes of the body that have been sent, where the connection can tell. */
  readonly onSent?: ((bytes: number) => void) | undefined;
  /** Whether the request goes on when the page that sends it is closed. */
  readonly keepalive?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Connection to a service, with a key or a session. Both methods retry, and throw ApiError, ConnectionError or the
 * signal's reason.
 */
export interface Transport {
  readonly apiKey: string | null;
  /** Returns the JSON of a successful response. */
  json<Body>(path: string, call?: Call): Promise<Body>;
  /** Returns a successful response whose body is still to be read. */
  open(path: string, call?: Call): Promise<Response>;
}

export interface TransportOptions {
  /** Key of an account; null in a page of the service itself, which has the cookie of its visitor's session. */
  readonly apiKey: string | null;
  /** Origin of the service, such as `https://darkroom.example.com`; the path `/api` may follow. */
  readonly origin: string;
  /** Defaults to the global `fetch`. */
  readonly fetch?: Fetch;
  /** Waits between attempts. The defaults suit programs. */
  readonly retry?: RetryOptions;
}

export function createTransport(options: TransportOptions): Transport {
  const { apiKey, origin, retry, fetch = (request) => globalThis.fetch(request) } = options;
  const api = `${trimOrigin(origin)}/api`;
  const build = (path: string, { method = 'GET', body, query, headers, keepalive, signal }: Call) => {
    const isOwn = path.startsWith('/');
    const isJson = body !== undefined && !(body instanceof Blob);
    return new Request((isOwn ? api + path : path) + getText(query), {
      method,
      headers: {
        // Only the service learns the key: files may be elsewhere.
        ...(!IS_PAGE && { 'user-agent': `darkroom-ts/${VERSION}` }),
        ...(isOwn && apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
      ...(keepalive && { keepalive }),
      ...(signal && { signal }),
    });
  };
  const sendTo = <Result>(path: string, call: Call, read: (response: Response) => Promise<Result>) =>
    send({ fetch, build: () => build(path, call), read, onSent: call.onSent, signal: call.signal, retry });
  return {
    apiKey,
    json: <Body>(path: string, call: Call = {}) =>
      sendTo(path, call, async (response) => (await readJson(response, trimOrigin(origin))) as Body),
    open: (path, call = {}) => sendTo(path, call, async (response) => response),
  };
}

/** Returns the JSON of a response. @throws ConnectionError for anything else: of another server, or a proxy's page */
async function readJson(response: Response, origin: string): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError(`${origin} did not respond with JSON.`, { cause });
  }
}

/** Returns the origin of an address that may end in a slash, or in the path of the API. */
export function trimOrigin(address: string): string {
  return address.replace(/(\/api)?\/*$/, '');
}

/** Whether this is a page or its worker: browsers would ask another origin before they send a header that they do not know. */
const IS_PAGE = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

function getText(query: Call['query'] = {}): string {
  const fields = Object.entries(query).flatMap(([name, value]): [string, QueryValue][] =>
    typeof value === 'object'
      ? Object.entries(value).map(([key, member]) => [`${name}[${key}]`, member])
      : [[name, value]],
  );
  const given = fields.filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text && `?${text}`;
}

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
async function send<Result>(sending: Sending<Result>): Promise<Result> {
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

/** Time that the service has to confirm. */
const WAIT_MS = 5_000;

/**
 * Deletes what its caller has left behind: a job, or an upload that is not whole. It may be gone already, and the page
 * may close at the same time: the caller learns nothing of either.
 */
export async function deleteQuietly(transport: Transport, path: string): Promise<void> {
  const signal = AbortSignal.timeout(WAIT_MS);
  await transport.open(path, { method: 'DELETE', keepalive: true, signal }).catch(() => {});
}
