import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { type ConnectionLimits, limitConnections, readConnectionLimits } from './connection-limits.ts';
import { formatProblem, serializeProblem } from './problem.ts';
import { endStalledConnections, type StallOptions } from './stalled-connections.ts';

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

/** Bytes that are passed on at once. */
const CHUNK_BYTES = 16_384;

/** Chunks of a body that may be of any size. Beyond them their mean size is bounded. */
const FREE_CHUNKS = 10_000;

const MEAN_BYTES_MIN = 64;

export interface HttpServerOptions {
  readonly limits?: ConnectionLimits;
  readonly stall?: StallOptions;
}

/** Time for a request's headers, and for the first byte of a new connection. */
const HEADERS_MS = 15_000;

/** Longer than the minute after which most load balancers close an idle connection. */
const IDLE_MS = 65_000;

/** Limit on a whole request, however steadily its body arrives. */
const REQUEST_MS = 6 * 3_600_000;

const CHECK_EVERY_MS = 5_000;

/**
 * Creates the server of the web process. Every socket has an end: headers, idle time, and the pace of bodies and
 * responses are bounded, and so are connections. The requests of a connection are handled one after the other. Without
 * listeners for `upgrade` and `connect`, Node responds to the former as to any request, and closes the latter.
 */
export function createHttpServer(
  ctx: Pick<Context, 'env' | 'log'>,
  listener: RequestListener,
  { limits = readConnectionLimits(ctx.env), stall }: HttpServerOptions = {},
): Server {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    requireHostHeader: false,
  });
  refuseMalformedRequests(server);
  const isEncrypted = ctx.env.PUBLIC_URL.startsWith('https:');
  const refuseCrowd = limitConnections(server, limits, ctx);
  endStalledConnections(server, {
    onStalled: (direction) => ctx.log.debug({ direction }, 'a connection was too slow and is closed'),
    ...stall,
  });
  server.on('request', mergeChunks);
  return server.on(
    'request',
    queuePipelined((request, response) => {
      // Browsers then use no plain HTTP for a year: what they send there, anybody on the way can read.
      if (isEncrypted) response.setHeader('strict-transport-security', 'max-age=31536000');
      if (refuseHosts(request, response) || refuseCrowd(request, response)) return;
      listener(request, response);
    }),
  );
}

/**
 * Wraps a listener so that it gets the requests of a connection one after the other. Node would pass on all that a
 * client sends ahead (pipelining) at once. Their responses have no socket yet, and thus never report that the client
 * has left: whatever they hold would stay open. One request ahead waits until the response before it has ended, since a
 * client may regard a response as complete before we do. Further ones close the connection: no browser and hardly any
 * client sends them (RFC 9112, section 9.3.2).
 */
function queuePipelined(listener: RequestListener): RequestListener {
  const waiting = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    // Its other requests may have arrived together with the one that closed it.
    if (socket.destroyed) return;
    if (response.socket) return listener(request, response);
    if (waiting.has(socket)) return void socket.destroy();
    waiting.add(socket);
    response.once('socket', () => {
      waiting.delete(socket);
      if (!socket.destroyed) listener(request, response);
    });
  };
}

/**
 * Passes on a request's body in few chunks, however small those are that the client sends. Each chunk costs every
 * later step far more time and memory than its bytes: a body of single bytes would occupy the process for minutes.
 * Even the parser takes a microsecond for each chunk, so that a body of very many tiny ones closes the connection. Call
 * it in the listener of `request`, before the body arrives.
 */
function mergeChunks(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let pending: Buffer[] = [];
  let bytes = 0;
  let allChunks = 0;
  let allBytes = 0;
  const flush = (): boolean => {
    const merged = Buffer.concat(pending);
    pending = [];
    bytes = 0;
    return merged.length === 0 || push(merged);
  };
  request.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) {
      flush();
      return push(null);
    }
    allChunks += 1;
    allBytes += chunk.length;
    if (allChunks > FREE_CHUNKS && allBytes < allChunks * MEAN_BYTES_MIN) request.socket.destroy();
    pending.push(chunk);
    bytes += chunk.length;
    if (bytes >= CHUNK_BYTES) return flush();
    // Node's parser pauses the socket when it is told that enough is buffered.
    if (pending.length === 1) setImmediate(() => flush() || request.socket.pause());
    return true;
  };
}

/**
 * Responds in JSON where Node would send a status alone: to requests that are not HTTP, that have too long headers, or
 * an expectation that cannot be met.
 * @param server created with `requireHostHeader: false`
 */
function refuseMalformedRequests(server: Server): void {
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
 * Refuses a request of HTTP/1.1 without a Host, and one of any version with several: a proxy before us may have meant
 * another one (RFC 9112, section 3.2).
 * @returns whether it has responded
 */
function refuseHosts({ rawHeaders, httpVersion }: IncomingMessage, response: ServerResponse): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 1 || (hosts === 0 && httpVersion !== '1.1')) return false;
  const problem = hosts === 0 ? 'is missing. HTTP/1.1 requires it.' : 'is given twice. Give it once.';
  refuse(response, 'bad_request', `Host: ${problem}`);
  return true;
}

function refuse(response: ServerResponse, code: ErrorCode, message: string): void {
  const { status, headers, text } = formatProblem({ code, message });
  response.writeHead(status, headers).end(text);
}
