import { randomUUID } from 'node:crypto';
import { batchPath } from '../../models/batch.ts';
import { OperationError } from '../../models/errors.ts';
import { formatUsd } from '../../models/money.ts';
import type { Operation } from '../../models/operation.ts';
import { type Context, type Operations, operationsOf } from '../context.ts';
import { getJob } from '../jobs/index.ts';
import type { Actor } from '../keys/index.ts';
import { balance } from '../wallet/index.ts';
import { type Authentication, actorOf } from './actor.ts';
import { addressBucket } from './client-address.ts';
import { FETCH_RATE, fetchLink } from './fetch-link.ts';
import { createFetchToken, FETCH_TOKEN_RATE } from './fetch-token.ts';
import { health } from './health.ts';
import { holdRequest } from './held-requests.ts';
import { jobEvents } from './job-events.ts';
import { loggedPath } from './logged-path.ts';
import { metrics, observeRequest } from './metrics.ts';
import { nextEngine } from './next-engine.ts';
import { jsonResponse, problem } from './problem.ts';
import { processBounds } from './process-bounds.ts';
import { createQuote } from './quotes.ts';
import { type BucketRate, rateLimited, takeToken } from './rate-limit.ts';
import { inRequestSpan } from './request-span.ts';
import { pathNotFound } from './request-target.ts';
import { cancelRequest, listRequests } from './requests.ts';
import { sendOpenApi } from './send-openapi.ts';
import { receiveStripeEvent, STRIPE_RATE } from './stripe-events.ts';
import { submitOperation } from './submit.ts';
import { submitBatch } from './submit-batch.ts';
import { appendPart, createPartedUpload, terminateUpload, uploadState } from './upload-parts.ts';
import { createUpload } from './uploads.ts';
import { usage } from './usage.ts';
import { relayWeights } from './weights.ts';

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
   * Users of the route. `programs`: the public API, kept stable and described by openapi.json; `pages`: the studio's
   * own, which changes with it; `operators`: whoever runs the service.
   */
  readonly audience: 'programs' | 'pages' | 'operators';
}

const FIXED_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v2/requests/status/',
    audience: 'programs',
    handle: keyed('either', async (ctx, _request, actor, id) =>
      jsonResponse(200, await getJob(ctx, { accountId: actor.accountId, id })),
    ),
  },
  {
    method: 'GET',
    path: '/v2/requests/status/',
    suffix: '/events',
    audience: 'programs',
    handle: keyed('either', jobEvents),
  },
  { method: 'GET', path: '/v2/requests', audience: 'programs', handle: keyed('either', listRequests) },
  { method: 'DELETE', path: '/v2/requests/', audience: 'programs', handle: keyed('either', cancelRequest) },
  { method: 'POST', path: '/v2/quotes', audience: 'programs', handle: keyed('either', createQuote) },
  { method: 'GET', path: '/v2/usage', audience: 'programs', handle: keyed('either', usage) },
  { method: 'POST', path: '/uploads', audience: 'programs', handle: keyed('either', createUpload) },
  { method: 'POST', path: '/v2/uploads', audience: 'programs', handle: keyed('either', createPartedUpload) },
  { method: 'HEAD', path: '/v2/uploads/', audience: 'programs', handle: byUploadUrl(uploadState) },
  { method: 'PATCH', path: '/v2/uploads/', audience: 'programs', handle: byUploadUrl(appendPart) },
  { method: 'DELETE', path: '/v2/uploads/', audience: 'programs', handle: byUploadUrl(terminateUpload) },
  { method: 'GET', path: '/v2/wallet', audience: 'programs', handle: keyed('either', wallet) },
  {
    method: 'GET',
    path: '/weights/',
    audience: 'pages',
    handle: (ctx, request, sha256) =>
      withinRate(ctx, request, addressBucket('weights', request), () => relayWeights(ctx, request, sha256)),
  },
  {
    method: 'GET',
    path: '/engines/',
    audience: 'pages',
    handle: (ctx, request, operationId) =>
      withinRate(ctx, request, addressBucket('engines', request), () => nextEngine(ctx, operationId)),
  },
  {
    method: 'POST',
    path: '/fetch',
    audience: 'pages',
    handle: (ctx, request) =>
      withinRate(ctx, request, addressBucket('fetch', request), () => fetchLink(ctx, request), FETCH_RATE),
  },
  {
    method: 'POST',
    path: '/fetch/token',
    audience: 'pages',
    handle: (ctx, request) =>
      withinRate(
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
      withinRate(
        ctx,
        request,
        addressBucket('stripe', request),
        () => receiveStripeEvent(ctx, request),
        STRIPE_RATE,
      ),
  },
  { method: 'GET', path: '/health', audience: 'programs', handle: health },
  { method: 'GET', path: '/metrics', audience: 'operators', handle: metrics },
  {
    method: 'GET',
    path: '/openapi.json',
    audience: 'programs',
    handle: async (ctx, request) => sendOpenApi(ctx, request),
  },
];

const tables = new WeakMap<Operations, readonly Route[]>();

/** Returns the one table of routes: those of the operations, and those of every service. */
export function routesOf(operations: Operations): readonly Route[] {
  const known = tables.get(operations);
  if (known) return known;
  const routes = [...Object.values(operations).flatMap(operationRoutes), ...FIXED_ROUTES];
  tables.set(operations, routes);
  return routes;
}

/** Responds to everything below `/api`: always JSON, including unknown paths and methods. */
export async function handleApi(ctx: Context, request: Request): Promise<Response> {
  const startedAtMs = performance.now();
  const path = new URL(request.url).pathname.replace(/^\/api/, '');
  const found = findRoute(ctx, request.method, path);
  return await inRequestSpan(ctx, request, found.label, async (inner, span) => {
    const traceId = span?.traceId ?? randomUUID();
    const log = ctx.log.child({ traceId, method: request.method, path: loggedPath(path) });
    const release = holdRequest(request);
    const response = await answer({ ...inner, log }, request, path, found).finally(release);
    response.headers.set('x-request-id', traceId);
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
  const matching = routesOf(operationsOf(ctx)).filter((route) => restOf(route, path) !== null);
  const by = (method: string) => matching.find((candidate) => candidate.method === method);
  const route = by(requestMethod) ?? (requestMethod === 'HEAD' ? by('GET') : undefined);
  const known = route ?? matching[0];
  return { route, matching, label: known ? labelOf(known) : 'unknown' };
}

async function answer(
  ctx: Context,
  request: Request,
  path: string,
  { route, matching }: FoundRoute,
): Promise<Response> {
  try {
    if (route) return await route.handle(ctx, request, restOf(route, path) ?? '');
    if (matching.length > 0) return methodNotAllowed(ctx, matching);
    throw pathNotFound(`/api${path}`);
  } catch (thrown) {
    return problem(thrown, ctx.log, request);
  }
}

function labelOf({ path, suffix = '' }: Route): string {
  return path + suffix;
}

function restOf({ path: prefix, suffix = '' }: Route, path: string): string | null {
  if (!prefix.endsWith('/')) return prefix === path ? '' : null;
  if (!path.startsWith(prefix) || !path.endsWith(suffix)) return null;
  const rest = path.slice(prefix.length, path.length - suffix.length);
  return rest !== '' && !rest.includes('/') ? rest : null;
}

function methodNotAllowed(ctx: Context, routes: readonly Route[]): Response {
  const allowed = routes.map((route) => route.method).join(', ');
  const response = problem(new OperationError('method_not_allowed', `Use ${allowed} here.`), ctx.log);
  response.headers.set('allow', allowed);
  return response;
}

function operationRoutes(operation: Operation): Route[] {
  const post = (path: string, submit: typeof submitOperation): Route => ({
    method: 'POST',
    path,
    audience: 'programs',
    handle: keyed(operation.authentication, (ctx, request, actor) =>
      submit(ctx, request, actor, operation).catch((thrown) =>
        problem(thrown, ctx.log, { faults: operation.faults, signal: request.signal }),
      ),
    ),
  });
  const single = post(operation.path, submitOperation);
  return operation.batch ? [single, post(batchPath(operation), submitBatch)] : [single];
}

/**
 * Authenticates, then applies the rate limit of the key or session and the account's limit on requests in progress; every response
 * states what is left of the rate.
 */
function keyed(authentication: Authentication, handle: KeyedHandler): Handler {
  return async (ctx, request, rest) => {
    const actor = await actorOf(ctx, request, authentication);
    return withinRate(ctx, request, actor.rateId, async () => {
      const place = processBounds(ctx.env).requests.enter(actor.accountId, 1);
      return await handle(ctx, request, actor, rest).finally(place.leave);
    });
  };
}

/** Limits the rate of an address: the upload's URL is all that such a request needs. */
function byUploadUrl(handle: Handler): Handler {
  return (ctx, request, rest) =>
    withinRate(ctx, request, addressBucket('uploads', request), () => handle(ctx, request, rest));
}

async function withinRate(
  ctx: Context,
  request: Request,
  bucketId: string,
  handle: () => Promise<Response>,
  rate?: BucketRate,
): Promise<Response> {
  const { allowed, headers } = await takeToken(ctx, bucketId, rate);
  const answered = allowed ? handle() : Promise.reject(rateLimited());
  const response = await answered.catch((thrown) => problem(thrown, ctx.log, request));
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

async function wallet(ctx: Context, _request: Request, actor: Actor): Promise<Response> {
  const { balance: total, held, available } = await balance(ctx.db, actor.accountId);
  return jsonResponse(200, {
    balance_usd: formatUsd(total),
    held_usd: formatUsd(held),
    available_usd: formatUsd(available),
  });
}
