import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import next from 'next';
import { problemOf } from '../models/errors.ts';
import { cdnListener } from './http/cdn-listener.ts';
import { CLIENT_ADDRESS, clientAddress } from './http/client-address.ts';
import { endWaiting, webContext } from './http/web-context.ts';
import { removeStaleIncoming } from './incoming.ts';
import { migrate } from './migrate.ts';
import { onStop, reportReady } from './process-life.ts';

/** Requests under way get this long to end when the process is asked to stop. */
const DRAIN_MS = 15_000;

/** What Next hands on to routes and pages; anything else it would answer without a body. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function refuseMethod(request: IncomingMessage, response: ServerResponse): void {
  const { status, title } = problemOf('method_not_allowed');
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    allow: [...METHODS].join(', '),
  });
  response.end(
    JSON.stringify({ error: title, message: `${request.method}: use ${[...METHODS].join(', ')}.` }),
  );
}

const ctx = await webContext();
await migrate(ctx.env.DATABASE_URL ?? '');
await removeStaleIncoming(ctx.env);
const app = next({ dev: false, port: ctx.env.PORT });
await app.prepare();
const handle = app.getRequestHandler();
const results = cdnListener(ctx);
const server = createServer((request, response) => {
  request.headers[CLIENT_ADDRESS] = clientAddress(request, ctx.env.TRUSTED_PROXIES);
  if (request.url?.startsWith('/cdn/')) results(request, response);
  else if (METHODS.has(request.method ?? '')) void handle(request, response);
  else refuseMethod(request, response);
});
// Slow senders are cut off, those of large files later; a slow reader of a large result is not.
server.headersTimeout = 15_000;
server.requestTimeout = 900_000;
server.keepAliveTimeout = 65_000;

server.once('error', (err) => {
  ctx.log.fatal({ err }, `cannot listen on PORT ${ctx.env.PORT}`);
  process.exit(1);
});
server.listen(ctx.env.PORT, () => {
  const { port } = server.address() as AddressInfo;
  ctx.log.info({ port, publicUrl: ctx.env.PUBLIC_URL }, 'web is ready');
  reportReady();
});

onStop(async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  endWaiting();
  server.closeIdleConnections();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
  ctx.log.info('web has stopped');
});
