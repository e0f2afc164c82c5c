import { createServer, type RequestListener, type Server } from 'node:http';
import type { Context } from '../../base/context/context.ts';
import {
  type ConnectionLimits,
  limitConnections,
  readConnectionLimits,
} from '../limits/connection-limits.ts';
import { endStalledConnections, type StallOptions } from '../limits/stalled-connections.ts';
import { refuseMalformedRequests, refuseWithoutHost } from './malformed-requests.ts';
import { mergeChunks } from './merge-chunks.ts';
import { queuePipelined } from './queue-pipelined.ts';

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
  const refuseCrowd = limitConnections(server, limits, ctx);
  endStalledConnections(server, {
    onStalled: (direction) => ctx.log.debug({ direction }, 'a connection was too slow and is closed'),
    ...stall,
  });
  server.on('request', mergeChunks);
  return server.on(
    'request',
    queuePipelined((request, response) => {
      if (refuseWithoutHost(request, response) || refuseCrowd(request, response)) return;
      listener(request, response);
    }),
  );
}
