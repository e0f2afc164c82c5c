import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import next from 'next';
import { webContext } from './http/web-context.ts';
import { migrate } from './migrate.ts';
import { onStop, reportReady } from './process-life.ts';

/** Requests under way get this long to end when the process is asked to stop. */
const DRAIN_MS = 15_000;

const ctx = await webContext();
await migrate(ctx.env.DATABASE_URL ?? '');
const app = next({ dev: false, port: ctx.env.PORT });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer((request, response) => void handle(request, response));
// Slow senders are cut off; a slow reader of a large result is not.
server.headersTimeout = 15_000;
server.requestTimeout = 60_000;
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
  server.closeIdleConnections();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
  ctx.log.info('web has stopped');
});
