import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import next from 'next';
import { awaitsOwner } from './auth/index.ts';
import { cdnListener } from './http/cdn-listener.ts';
import { CLIENT_ADDRESS, clientAddress } from './http/client-address.ts';
import { encodedFiles } from './http/encoded-files.ts';
import { createHttpServer } from './http/http-server.ts';
import { denyUnguardedPages } from './http/page-guard.ts';
import { rejectInvalidRequest } from './http/request-target.ts';
import { respondFailed } from './http/respond-failed.ts';
import { endWaits, webContext } from './http/web-context.ts';
import { migrate } from './migrate.ts';
import { createProber } from './probing/index.ts';
import { onStop, reportReady, reportStarting } from './process-life.ts';
import { keepBeating } from './processes/index.ts';
import { keepRemovingStale } from './remove-stale.ts';
import { sealStoredSecrets } from './secrets/index.ts';
import { removeStaleIncoming } from './temp-dir.ts';

const REGISTRY = fileURLToPath(new URL('../models/registry.ts', import.meta.url));
/** Time for active requests to end when the process is asked to stop. */
const DRAIN_MS = 15_000;

const ctx = await webContext(createProber({ operationsModule: REGISTRY }));
await reportStarting(migrate(ctx.env.DATABASE_URL ?? ''));
await reportStarting(sealStoredSecrets(ctx));
await keepRemovingStale(() => removeStaleIncoming(ctx.env), ctx.log);
const endBeats = await keepBeating(ctx, 'web');
// Next would attach itself to the upgrades of the server that it sees, and hold their sockets open for ever.
const app = next({ dev: false, port: ctx.env.PORT, httpServer: createServer() });
await app.prepare();
const handle = app.getRequestHandler();
const chooseEncoding = encodedFiles(join(process.cwd(), '.next'));
const results = cdnListener(ctx);
const server = createHttpServer(ctx, (request, response) => {
  request.headers[CLIENT_ADDRESS] = clientAddress(request, ctx.env.TRUSTED_PROXIES);
  // Every server must accept the absolute form: RFC 9112, section 3.2.2.
  request.url = request.url?.replace(/^https?:\/\/[^/?]+/i, '');
  if (request.url?.startsWith('/cdn/')) return results(request, response);
  // Next answers it with a redirect, and the API answers in JSON only.
  if (request.url?.startsWith('/api/')) delete request.headers.rsc;
  if (rejectInvalidRequest(request, response, ctx)) return;
  denyUnguardedPages(response);
  chooseEncoding(request, response);
  handle(request, response).catch((thrown) => respondFailed(thrown, response, ctx.log));
});

/** Says how the owner of a new local install signs up. */
async function inviteOwner(): Promise<void> {
  if (await awaitsOwner(ctx).catch(() => false)) {
    ctx.log.info(`Nobody has signed up yet: open ${ctx.env.PUBLIC_URL}/sign-up to become the owner.`);
  }
}

server.once('error', (err) => {
  ctx.log.fatal({ err }, `cannot listen on PORT ${ctx.env.PORT}`);
  process.exit(1);
});
server.listen(ctx.env.PORT, () => {
  const { port } = server.address() as AddressInfo;
  ctx.log.info({ port, publicUrl: ctx.env.PUBLIC_URL }, 'web is ready');
  reportReady();
  void inviteOwner();
});

onStop(async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  endWaits();
  server.closeIdleConnections();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
  await endBeats();
  await ctx.tracer?.flush();
  ctx.log.info('web has stopped');
});
