import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import next from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import { createApiListener, isApiTarget } from '../../api/api.ts';
import { createResultsListener } from '../../api/results-listener.ts';
import { CLIENT_ADDRESS, clientAddress } from '../../api/transport/client-address.ts';
import { createHttpServer } from '../../api/transport/http-server.ts';
import { createEncodingChooser } from '../../api/transport/negotiate-encoding.ts';
import { applyDefaultPolicy, keepLocationOwn } from '../../api/transport/page-headers.ts';
import { respondInternalError } from '../../api/transport/problem.ts';
import { rejectInvalidRequest } from '../../api/transport/reject-invalid-request.ts';
import { chooseIsolation, removeLeftFolders } from '../../base/children/isolation.ts';
import { migrate } from '../../base/database/migrate.ts';
import { readEnv } from '../../base/env.ts';
import { createLogger } from '../../base/log.ts';
import { redirectOutput } from '../../base/redirect-output.ts';
import { startRemovingStale } from '../../base/remove-stale.ts';
import { removeStaleTempDirs } from '../../base/temp-dir.ts';
import { hasNoServiceOwner } from '../../identity/auth/index.ts';
import { openRequestLog } from '../../identity/request-log/index.ts';
import { createProber } from '../../io/probing/index.ts';
import { startHeartbeats } from '../../jobs/heartbeats.ts';
import { CLIENTS_PATH, keepPackages, WORKER_PATH } from '../build/client-packages.ts';
import { endWaitingRequests, getWebContext } from '../web-context.ts';
import { awaitKeys } from './await-keys.ts';
import { onStop, receiveSettings, reportReady, reportStarting } from './lifecycle.ts';

const REGISTRY = fileURLToPath(new URL('../../../models/registry.ts', import.meta.url));
/** Time for active requests to end when the process is asked to stop. */
const DRAIN_MS = 15_000;

const env = readEnv();
redirectOutput(createLogger(env.LOG_LEVEL, 'web'));
const buildDir = join(process.cwd(), '.next');
const pages = openPages();
const prepared = pages.prepare();
await reportStarting(receiveSettings());
const isolation = await chooseIsolation(env);
const prober = createProber({ operationsModule: REGISTRY, operations: OPERATIONS, isolation });
const ctx = await getWebContext(prober);
onStop(async () => ctx.tracer?.flush());
ctx.log.info({ isolation: isolation.level }, 'how children that read files are kept apart');
await reportStarting(migrate(ctx.env.DATABASE_URL ?? ''));
await awaitKeys(ctx, 'web', isolation.level);
onStop(await startHeartbeats(ctx, 'web', { isolation: isolation.level, describe: prober.describe }));
await startRemovingStale(async () => {
  await removeStaleTempDirs(ctx.env);
  await removeLeftFolders(ctx.env);
}, ctx.log);
const handle = pages.getRequestHandler();
const chooseEncoding = createEncodingChooser(buildDir);
const results = createResultsListener(ctx);
const api = createApiListener(ctx);
const server = createHttpServer(ctx, (request, response) => {
  request.headers[CLIENT_ADDRESS] = clientAddress(request, ctx.env.TRUSTED_PROXIES);
  // Every server must accept the absolute form: RFC 9112, section 3.2.2.
  request.url = request.url?.replace(/^https?:\/\/[^/?]+/i, '');
  if (request.url?.startsWith('/cdn/')) return results(request, response);
  // Next responds to it with a redirect, and paths below /api respond in JSON only.
  if (request.url?.startsWith('/api/')) delete request.headers.rsc;
  if (rejectInvalidRequest(request, response, ctx)) return;
  applyDefaultPolicy(response);
  keepLocationOwn(request, response, ctx);
  if (isApiTarget(request.url ?? '')) return api(request, response);
  chooseEncoding(request, response);
  // The API responds before the pages do.
  prepared
    .then(() => handle(request, response))
    .catch((thrown) => respondInternalError(thrown, response, ctx.log));
});

/**
 * Opens Next's server of the pages with the configuration of its build, as Next's own standalone server does: compiling
 * the configuration's source would take a second of each start.
 */
function openPages() {
  const { config } = JSON.parse(readFileSync(join(buildDir, 'required-server-files.json'), 'utf8'));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
  // Next would attach itself to the upgrades of the server that it sees, and hold their sockets open for ever.
  return next({ dev: false, port: env.PORT, httpServer: createServer() });
}

/** Says how the owner of a new local install signs up. */
async function logOwnerInvitation(): Promise<void> {
  if (await hasNoServiceOwner(ctx).catch(() => false)) {
    ctx.log.info(`No one has signed up yet: open ${ctx.env.PUBLIC_URL}/sign-up to become the owner.`);
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
  void logOwnerInvitation();
  for (const path of [CLIENTS_PATH, WORKER_PATH]) {
    keepPackages(ctx, join(process.cwd(), 'public', path)).catch((err) => {
      ctx.log.warn({ err }, 'could not keep the packages of the clients');
    });
  }
});

onStop(async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  endWaitingRequests();
  server.closeIdleConnections();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
  await openRequestLog(ctx).flush();
  ctx.log.info('web has stopped');
});
