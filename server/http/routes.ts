import { batchId, batchPath } from '../../models/operation/batch.ts';
import type { Operation } from '../../models/operation/define-operation.ts';
import { operationFor } from '../../models/test-mode/operation-for.ts';
import type { Operations } from '../context.ts';
import { getWallet } from './account/get-wallet.ts';
import { cancelRequest, listRequests } from './account/own-requests.ts';
import { receiveStripeEvent, STRIPE_RATE } from './account/receive-stripe-event.ts';
import { getUsage } from './account/report-usage.ts';
import { listEngines } from './engines/list-engines.ts';
import { getHealth } from './health.ts';
import { addressBucket } from './limits/client-address.ts';
import { getMetrics } from './metrics.ts';
import { sendOpenApi } from './openapi/send-openapi.ts';
import { WORKER_ROUTES } from './own-workers/worker-routes.ts';
import { createQuote } from './quotes/create-quote.ts';
import { getNextEngine } from './quotes/next-engine.ts';
import { annotateRequestLog } from './request-log/annotate-request.ts';
import { getRequest } from './results/get-request.ts';
import { listReceiptKeys, RECEIPT_KEYS_PATH } from './results/list-receipt-keys.ts';
import { jobEvents } from './results/stream-job-events.ts';
import { type Route, rateLimitUploads, requireKey, withRateLimit } from './route.ts';
import { FETCH_RATE, fetchLink } from './studio/fetch-link.ts';
import { createFetchToken, FETCH_TOKEN_RATE } from './studio/fetch-token.ts';
import { relayWeights } from './studio/relay-weights.ts';
import { submitOperation } from './submit/submit-operation.ts';
import { MCP_PATH } from './transport/api-target.ts';
import { problemResponse } from './transport/problem.ts';
import { createUpload } from './uploads/create-upload.ts';
import {
  appendPart,
  createResumableUpload,
  getUploadOffset,
  terminateUpload,
} from './uploads/resumable-uploads.ts';

/** Rights to the routes that any key may use, by what they are about. */
const JOBS_SEEN = { authentication: 'either', permission: 'jobs.see' } as const;
const JOBS_CHANGED = { authentication: 'either', permission: 'jobs.change' } as const;
const ACCOUNT_SEEN = { authentication: 'either', permission: 'account.see' } as const;

const FIXED_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v2/requests/status/',
    audience: 'programs',
    handle: requireKey(JOBS_SEEN, getRequest),
  },
  {
    method: 'GET',
    path: '/v2/requests/status/',
    suffix: '/events',
    audience: 'programs',
    handle: requireKey(JOBS_SEEN, jobEvents),
  },
  { method: 'GET', path: '/v2/requests', audience: 'programs', handle: requireKey(JOBS_SEEN, listRequests) },
  {
    method: 'DELETE',
    path: '/v2/requests/',
    audience: 'programs',
    handle: requireKey({ ...JOBS_CHANGED, action: 'jobs.cancel' }, cancelRequest),
  },
  { method: 'POST', path: '/v2/quotes', audience: 'programs', handle: requireKey(ACCOUNT_SEEN, createQuote) },
  { method: 'GET', path: '/v2/usage', audience: 'programs', handle: requireKey(ACCOUNT_SEEN, getUsage) },
  { method: 'POST', path: '/uploads', audience: 'programs', handle: requireKey(JOBS_CHANGED, createUpload) },
  {
    method: 'POST',
    path: '/v2/uploads',
    audience: 'programs',
    handle: requireKey(JOBS_CHANGED, createResumableUpload),
  },
  { method: 'HEAD', path: '/v2/uploads/', audience: 'programs', handle: rateLimitUploads(getUploadOffset) },
  { method: 'PATCH', path: '/v2/uploads/', audience: 'programs', handle: rateLimitUploads(appendPart) },
  { method: 'DELETE', path: '/v2/uploads/', audience: 'programs', handle: rateLimitUploads(terminateUpload) },
  {
    method: 'GET',
    path: '/v2/engines',
    audience: 'programs',
    handle: (ctx, request) =>
      withRateLimit(ctx, request, addressBucket('engine-list', request), () => listEngines(ctx)),
  },
  { method: 'GET', path: '/v2/wallet', audience: 'programs', handle: requireKey(ACCOUNT_SEEN, getWallet) },
  {
    method: 'GET',
    path: '/weights/',
    audience: 'pages',
    handle: (ctx, request, sha256) =>
      withRateLimit(ctx, request, addressBucket('weights', request), () =>
        relayWeights(ctx, request, sha256),
      ),
  },
  {
    method: 'GET',
    path: '/engines/',
    audience: 'pages',
    handle: (ctx, request, operationId) =>
      withRateLimit(ctx, request, addressBucket('engines', request), () => getNextEngine(ctx, operationId)),
  },
  {
    method: 'POST',
    path: '/fetch',
    audience: 'pages',
    handle: (ctx, request) =>
      withRateLimit(ctx, request, addressBucket('fetch', request), () => fetchLink(ctx, request), FETCH_RATE),
  },
  {
    method: 'POST',
    path: '/fetch/token',
    audience: 'pages',
    handle: (ctx, request) =>
      withRateLimit(
        ctx,
        request,
        addressBucket('fetch-token', request),
        () => createFetchToken(ctx, request),
        FETCH_TOKEN_RATE,
      ),
  },
  {
    method: 'POST',
    path: '/stripe/webhook',
    audience: 'operators',
    handle: (ctx, request) =>
      withRateLimit(
        ctx,
        request,
        addressBucket('stripe', request),
        () => receiveStripeEvent(ctx, request),
        STRIPE_RATE,
      ),
  },
  {
    method: 'POST',
    path: MCP_PATH,
    audience: 'agents',
    handle: requireKey(
      { authentication: 'bearer', permission: 'jobs.change' },
      async (ctx, request, actor, _rest, handleApi) => {
        // Its packages are large, and only agents need them.
        const { handleMcp } = await import('./mcp/handle-mcp.ts');
        return await handleMcp(ctx, request, actor, handleApi);
      },
    ),
  },
  { method: 'GET', path: '/health', audience: 'programs', handle: getHealth },
  { method: 'GET', path: '/metrics', audience: 'operators', handle: getMetrics },
  {
    method: 'GET',
    path: RECEIPT_KEYS_PATH,
    audience: 'programs',
    handle: (ctx, request) =>
      withRateLimit(ctx, request, addressBucket('receipt-keys', request), () => listReceiptKeys(ctx)),
  },
  {
    method: 'GET',
    path: '/openapi.json',
    audience: 'programs',
    handle: async (ctx, request) => sendOpenApi(ctx, request),
  },
];

const routeTables = new WeakMap<Operations, readonly Route[]>();

/** Returns the one table of routes: those of the operations, and those of every service. */
export function listRoutes(operations: Operations): readonly Route[] {
  const known = routeTables.get(operations);
  if (known) return known;
  const routes = [...Object.values(operations).flatMap(operationRoutes), ...FIXED_ROUTES, ...WORKER_ROUTES];
  routeTables.set(operations, routes);
  return routes;
}

function operationRoutes(operation: Operation): Route[] {
  const { authentication } = operation;
  const access = { authentication, permission: 'jobs.change', action: 'jobs.create' } as const;
  const post = (modelId: string, path: string): Route => ({
    method: 'POST',
    path,
    audience: 'programs',
    handle: requireKey(access, (ctx, request, actor) => {
      annotateRequestLog(request, { operationId: modelId });
      const call = { ctx, request, actor, operation: operationFor(actor, operation), modelId };
      return submitOperation(call).catch((thrown) =>
        problemResponse(thrown, ctx, { faults: operation.errorOverrides, signal: request.signal }),
      );
    }),
  });
  const single = post(operation.id, operation.path);
  return operation.batch ? [single, post(batchId(operation.id), batchPath(operation))] : [single];
}
