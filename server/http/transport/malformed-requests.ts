import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Status and message for each fault that ends a request before any listener sees it, by Node's code. */
const PARSER_ERRORS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_INVALID_METHOD: [
    400,
    'method: is not one of HTTP. GET /api/openapi.json lists what each path accepts.',
  ],
  HPE_HEADER_OVERFLOW: [431, 'headers: must have at most 16 kB together.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Transfer-Encoding: the extensions of a chunk are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request: did not arrive in time. Send it again.'],
};
const OTHER_PARSER_ERROR = [400, 'request: is not valid HTTP. Check its method, path and headers.'] as const;

/**
 * Responds in JSON where Node would send a status alone: to requests that are not HTTP, that have too long headers, or
 * an expectation that nobody can meet.
 * @param server created with `requireHostHeader: false`
 */
export function refuseMalformedRequests(server: Server): void {
  const responses = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('request', ({ socket }, response) => {
    const open = responses.get(socket) ?? new Set();
    responses.set(socket, open.add(response));
    response.once('close', () => open.delete(response));
  });
  server.on('checkExpectation', (_request, response: ServerResponse) =>
    refuse(response, 417, 'Expect: must be 100-continue, or absent.'),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // Inside a response that has begun, another one would be taken for part of it.
    const isBegun = [...(responses.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (socket.writable && !isBegun)
      socket.write(formatRawResponse(...(PARSER_ERRORS[error.code ?? ''] ?? OTHER_PARSER_ERROR)));
    socket.destroy();
  });
}

/**
 * Refuses a request of HTTP/1.1 without a Host (RFC 9112, section 3.2).
 * @returns whether it has responded
 */
export function refuseWithoutHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false;
  refuse(response, 400, 'Host: is missing. HTTP/1.1 requires it.');
  return true;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, HEADERS).end(formatProblem(status, message));
}

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
};

function formatProblem(status: number, message: string): string {
  return JSON.stringify({ error: STATUS_CODES[status], message });
}

function formatRawResponse(status: number, message: string): string {
  const body = formatProblem(status, message);
  const headers = Object.entries({ ...HEADERS, 'content-length': String(Buffer.byteLength(body)) });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`;
}
