import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../../models/core/operation/errors.ts';
import { formatProblem, serializeProblem } from '../problems/format-problem.ts';

/** Error for each fault that ends a request before any listener sees it, by Node's code. */
const PARSER_ERRORS: Readonly<Record<string, readonly [code: ErrorCode, message: string]>> = {
  HPE_INVALID_METHOD: [
    'bad_request',
    'method: is not one of HTTP. GET /api/openapi.json lists what each path accepts.',
  ],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'headers: must have at most 16 kB together.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'body_too_large',
    'Transfer-Encoding: the extensions of a chunk are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'request: did not arrive in time. Send it again.'],
};
const OTHER_PARSER_ERROR = [
  'bad_request',
  'request: is not valid HTTP. Check its method, path and headers.',
] as const;

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
    refuse(response, 'expectation_failed', 'Expect: must be 100-continue, or absent.'),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // Inside a response that has begun, another one would be taken for part of it.
    const isBegun = [...(responses.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    const [code, message] = PARSER_ERRORS[error.code ?? ''] ?? OTHER_PARSER_ERROR;
    if (socket.writable && !isBegun) socket.write(serializeProblem(formatProblem({ code, message })));
    socket.destroy();
  });
}

/**
 * Refuses a request of HTTP/1.1 without a Host (RFC 9112, section 3.2).
 * @returns whether it has responded
 */
export function refuseWithoutHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false;
  refuse(response, 'bad_request', 'Host: is missing. HTTP/1.1 requires it.');
  return true;
}

function refuse(response: ServerResponse, code: ErrorCode, message: string): void {
  const { status, headers, text } = formatProblem({ code, message });
  response.writeHead(status, headers).end(text);
}
