import { type Fetch, send } from './send.ts';

/** Request to a path below `/api`, or to a whole URL. */
export interface Call {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON, apart from a Blob. */
  readonly body?: object;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Connection to a service with a key. Both methods retry, and throw ApiError, ConnectionError or the signal's reason. */
export interface Transport {
  readonly apiKey: string;
  /** Returns the JSON of a successful response. */
  json<Body>(path: string, call?: Call): Promise<Body>;
  /** Returns a successful response whose body is still to be read. */
  open(path: string, call?: Call): Promise<Response>;
}

export interface TransportOptions {
  readonly apiKey: string;
  /** Origin of the service, such as `https://darkroom.example.com`. */
  readonly origin: string;
  /** Defaults to the global `fetch`. */
  readonly fetch?: Fetch;
}

export function createTransport(options: TransportOptions): Transport {
  const { apiKey, origin, fetch = (request) => globalThis.fetch(request) } = options;
  const api = `${origin.replace(/\/+$/, '')}/api`;
  const build = (path: string, { method = 'GET', body, query, headers, signal }: Call) => {
    const isOwn = path.startsWith('/');
    const isJson = body !== undefined && !(body instanceof Blob);
    return new Request((isOwn ? api + path : path) + textOf(query), {
      method,
      headers: {
        // Only the service learns the key: files may be elsewhere.
        ...(isOwn && { authorization: `Bearer ${apiKey}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as Blob) }),
      ...(signal && { signal }),
    });
  };
  const sendTo = <Result>(path: string, call: Call, read: (response: Response) => Promise<Result>) =>
    send({ fetch, build: () => build(path, call), read, signal: call.signal });
  return {
    apiKey,
    json: <Body>(path: string, call: Call = {}) =>
      sendTo(path, call, async (response) => (await response.json()) as Body),
    open: (path, call = {}) => sendTo(path, call, async (response) => response),
  };
}

function textOf(query: Call['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text && `?${text}`;
}
