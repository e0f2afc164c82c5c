import { type Fetch, type RetryOptions, send } from './send.ts';

type QueryValue = string | number | undefined;

/** Request to a path below `/api`, or to a whole URL. */
export interface Call {
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
  /** Origin of the service, such as `https://darkroom.example.com`. */
  readonly origin: string;
  /** Defaults to the global `fetch`. */
  readonly fetch?: Fetch;
  /** Waits between attempts. The defaults suit programs. */
  readonly retry?: RetryOptions;
}

export function createTransport(options: TransportOptions): Transport {
  const { apiKey, origin, retry, fetch = (request) => globalThis.fetch(request) } = options;
  const api = `${origin.replace(/\/+$/, '')}/api`;
  const build = (path: string, { method = 'GET', body, query, headers, keepalive, signal }: Call) => {
    const isOwn = path.startsWith('/');
    const isJson = body !== undefined && !(body instanceof Blob);
    return new Request((isOwn ? api + path : path) + textOf(query), {
      method,
      headers: {
        // Only the service learns the key: files may be elsewhere.
        ...(isOwn && apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as Blob) }),
      ...(keepalive && { keepalive }),
      ...(signal && { signal }),
    });
  };
  const sendTo = <Result>(path: string, call: Call, read: (response: Response) => Promise<Result>) =>
    send({ fetch, build: () => build(path, call), read, onSent: call.onSent, signal: call.signal, retry });
  return {
    apiKey,
    json: <Body>(path: string, call: Call = {}) =>
      sendTo(path, call, async (response) => (await response.json()) as Body),
    open: (path, call = {}) => sendTo(path, call, async (response) => response),
  };
}

function textOf(query: Call['query'] = {}): string {
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
