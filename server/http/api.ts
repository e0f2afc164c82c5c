import { randomUUID } from 'node:crypto';
import { batchPath } from '../../models/operation/batch.ts';
import type { Operation } from '../../models/operation/define-operation.ts';
import { OperationError } from '../../models/operation/errors.ts';
import { type Context, getOperations, type Operations } from '../context.ts';
import { getJob } from '../jobs/index.ts';
import type { Actor } from '../keys/index.ts';
import { type Authentication, authenticateRequest } from './account/authenticate-request.ts';
import { getWallet } from './account/get-wallet.ts';
import { cancelRequest, listRequests } from './account/own-requests.ts';
import { receiveStripeEvent, STRIPE_RATE } from './account/receive-stripe-event.ts';
import { getUsage } from './account/report-usage.ts';
import { listEngines } from './engines/list-engines.ts';
import { getHealth } from './health.ts';
import { addressBucket } from './limits/client-address.ts';
import { getProcessLimits } from './limits/process-limits.ts';
import { type BucketRate, rateLimitExceeded, takeToken } from './limits/rate-limit.ts';
import { getMetrics, observeRequest } from './metrics.ts';
import { sendOpenApi } from './openapi/send-openapi.ts';
import { allowAnyOrigin, isPreflight, preflightResponse } from './origins/cross-origin.ts';
import { REQUEST_ID_HEADER } from './problems/build-problem.ts';
import { createQuote } from './quotes/create-quote.ts';
import { getNextEngine } from './quotes/next-engine.ts';
import { jobEvents } from './results/stream-job-events.ts';
import { FETCH_RATE, fetchLink } from './studio/fetch-link.ts';
import { createFetchToken, FETCH_TOKEN_RATE } from './studio/fetch-token.ts';
import { relayWeights } from './studio/relay-weights.ts';
import { submitBatch } from './submit/submit-batch.ts';
import { submitOperation } from './submit/submit-operation.ts';
import { jsonResponse, problemResponse } from './transport/problem.ts';
import { redactPath } from './transport/redact-path.ts';
import { API_METHODS, MCP_PATH, pathNotFound } from './transport/reject-invalid-request.ts';
import { inRequestSpan } from './transport/request-span.ts';
import { retainRequest } from './transport/retain-request.ts';
import { createUpload } from './uploads/create-upload.ts';
import {
  appendPart,
  createResumableUpload,
  getUploadOffset,
  terminateUpload,
} from './uploads/resumable-uploads.ts';

type Handler = (ctx: Context, request: Request, rest: string) => Promise<Response>;
type KeyedHandler = (ctx: Context, request: Request, actor: Actor, rest: string) => Promise<Response>;

/** A path that ends in `/` takes one more segment, passed on as `rest`. */
interface Route {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Follows the further segment. */
  readonly suffix?: string;
  readonly handle: Handler;
  /**
   * Users of the route. `programs`: the public API, kept stable, described by openapi.json and open to pages of any
   * origin; `agents`: described by their own protocol, and open like it; `pages`: the studio's own, which changes with
   * it; `operators`: whoever runs the service.
   */
  readonly audience: 'programs' | 'agents' | 'pages' | 'operators';
}

const FIXED_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v2/requests/status/',
    audience: 'programs',
    handle: requireKey('either', async (ctx, _request, actor, id) =>
      jsonResponse(200, await getJob(ctx, { accountId: actor.accountId, id })),
    ),
  },
  {
    method: 'GET',
    path: '/v2/requests/status/',
    suffix: '/events',
    audience: 'programs',
    handle: requireKey('either', jobEvents),
  },
  { method: 'GET', path: '/v2/requests', audience: 'programs', handle: requireKey('either', listRequests) },
  {
    method: 'DELETE',
    path: '/v2/requests/',
    audience: 'programs',
    handle: requireKey('either', cancelRequest),
  },
  { method: 'POST', path: '/v2/quotes', audience: 'programs', handle: requireKey('either', createQuote) },
  { method: 'GET', path: '/v2/usage', audience: 'programs', handle: requireKey('either', getUsage) },
  { method: 'POST', path: '/uploads', audience: 'programs', handle: requireKey('either', createUpload) },
  {
    method: 'POST',
    path: '/v2/uploads',
    audience: 'programs',
    handle: requireKey('either', createResumableUpload),
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
  { method: 'GET', path: '/v2/wallet', audience: 'programs', handle: requireKey('either', getWallet) },
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
    handle: requireKey('either', async (ctx, request, actor) => {
      // Its packages are large, and only agents need them.
      const { handleMcp } = await import('./mcp/handle-mcp.ts');
      return await handleMcp(ctx, request, actor, handleApi);
    }),
  },
  { method: 'GET', path: '/health', audience: 'programs', handle: getHealth },
  { method: 'GET', path: '/metrics', audience: 'operators', handle: getMetrics },
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
  const routes = [...Object.values(operations).flatMap(operationRoutes), ...FIXED_ROUTES];
  routeTables.set(operations, routes);
  return routes;
}

/** Responds to everything below `/api`, and to `/mcp`: always JSON, including unknown paths and methods. */
export async function handleApi(ctx: Context, request: Request): Promise<Response> {
  const startedAtMs = performance.now();
  const path = new URL(request.url).pathname.replace(/^\/api/, '');
  const found = findRoute(ctx, request.method, path);
  return await inRequestSpan(ctx, request, found.label, async (inner, span) => {
    const traceId = span?.traceId ?? randomUUID();
    const log = ctx.log.child({ traceId, method: request.method, path: redactPath(path) });
    const release = retainRequest(request);
    const response = await routeRequest({ ...inner, log, traceId }, request, path, found).finally(release);
    response.headers.set(REQUEST_ID_HEADER, traceId);
    if (isPublic(found)) allowAnyOrigin(response);
    const durationMs = performance.now() - startedAtMs;
    observeRequest(found.label, request.method, response.status, durationMs / 1000);
    log.info({ status: response.status, durationMs: Math.round(durationMs * 10) / 10 }, 'request');
    return response;
  });
}

interface FoundRoute {
  /** Absent for an unknown path or method. */
  readonly route: Route | undefined;
  /** Routes of the path by any method. */
  readonly matching: readonly Route[];
  /** Template of the path, for metrics and traces. */
  readonly label: string;
}

function findRoute(ctx: Context, requestMethod: string, path: string): FoundRoute {
  const matching = listRoutes(getOperations(ctx)).filter((route) => pathRemainder(route, path) !== null);
  const by = (method: string) => matching.find((candidate) => candidate.method === method);
  const route = by(requestMethod) ?? (requestMethod === 'HEAD' ? by('GET') : undefined);
  const known = route ?? matching[0];
  return { route, matching, label: known ? known.path + (known.suffix ?? '') : 'unknown' };
}

async function routeRequest(
  ctx: Context,
  request: Request,
  path: string,
  found: FoundRoute,
): Promise<Response> {
  const { route, matching } = found;
  try {
    if (isPreflight(request) && isPublic(found)) {
      return preflightResponse(matching.length > 0 ? methodsOf(matching) : API_METHODS);
    }
    if (route) return await route.handle(ctx, request, pathRemainder(route, path) ?? '');
    if (matching.length > 0) return methodNotAllowed(ctx, matching);
    throw pathNotFound(`/api${path}`);
  } catch (thrown) {
    return problemResponse(thrown, ctx, request);
  }
}

function pathRemainder({ path: prefix, suffix = '' }: Route, path: string): string | null {
  if (!prefix.endsWith('/')) return prefix === path ? '' : null;
  if (!path.startsWith(prefix) || !path.endsWith(suffix)) return null;
  const rest = path.slice(prefix.length, path.length - suffix.length);
  return rest !== '' && !rest.includes('/') ? rest : null;
}

function methodNotAllowed(ctx: Context, routes: readonly Route[]): Response {
  const allowed = methodsOf(routes).join(', ');
  const response = problemResponse(new OperationError('method_not_allowed', `Use ${allowed} here.`), ctx);
  response.headers.set('allow', allowed);
  return response;
}

function methodsOf(routes: readonly Route[]): string[] {
  return routes.map(({ method }) => method);
}

/** Reports whether a path belongs to the public API, or to nothing. */
function isPublic({ matching }: FoundRoute): boolean {
  return (
    matching.length === 0 || matching.some(({ audience }) => audience === 'programs' || audience === 'agents')
  );
}

function operationRoutes(operation: Operation): Route[] {
  const post = (path: string, submit: typeof submitOperation): Route => ({
    method: 'POST',
    path,
    audience: 'programs',
    handle: requireKey(operation.authentication, (ctx, request, actor) =>
      submit(ctx, request, actor, operation).catch((thrown) =>
        problemResponse(thrown, ctx, { faults: operation.errorOverrides, signal: request.signal }),
      ),
    ),
  });
  const single = post(operation.path, submitOperation);
  return operation.batch ? [single, post(batchPath(operation), submitBatch)] : [single];
}

/**
 * Authenticates, then applies the rate limit of the key or session and the account's limit on requests in progress;
 * every response states what is left of the rate.
 */
function requireKey(authentication: Authentication, handle: KeyedHandler): Handler {
  return async (ctx, request, rest) => {
    const actor = await authenticateRequest(ctx, request, authentication);
    return withRateLimit(ctx, request, actor.rateId, async () => {
      const place = getProcessLimits(ctx.env).requests.acquire(actor.accountId, 1);
      return await handle(ctx, request, actor, rest).finally(place.release);
    });
  };
}

/** Limits the rate of an address: the upload's URL is all that such a request needs. */
function rateLimitUploads(handle: Handler): Handler {
  return (ctx, request, rest) =>
    withRateLimit(ctx, request, addressBucket('uploads', request), () => handle(ctx, request, rest));
}

async function withRateLimit(
  ctx: Context,
  request: Request,
  bucketId: string,
  handle: () => Promise<Response>,
  rate?: BucketRate,
): Promise<Response> {
  const { allowed, headers } = await takeToken(ctx, bucketId, rate);
  const answered = allowed ? handle() : Promise.reject(rateLimitExceeded());
  const response = await answered.catch((thrown) => problemResponse(thrown, ctx, request));
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
