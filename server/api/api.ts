import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { OperationError } from '../../models/core/operation/errors.ts';
import { type Context, getOperations } from '../base/context.ts';
import { inSpan, type Span } from '../base/tracer.ts';
import { recordAuditEvent } from '../identity/accounts/index.ts';
import { type Actor, authenticateKey } from '../identity/keys/index.ts';
import { authenticateRequest, readApiKey } from './account/authenticate-request.ts';
import { announceDeprecation } from './deprecations.ts';
import { observeRequest } from './metrics.ts';
import { openApiDocument } from './openapi-document.ts';
import type { Api, KeyedCall, KeyedRoute, Route } from './route.ts';
import { isReceiptKeysTarget } from './routes/list-receipt-keys.ts';
import { listRoutes } from './routes/list-routes.ts';
import { addressBucket, CLIENT_ADDRESS } from './transport/client-address.ts';
import { allowAnyOrigin, isPreflight, preflightResponse } from './transport/cross-origin.ts';
import { isProgramsPath, MCP_PATH, redactPath } from './transport/paths.ts';
import { problemResponse, REQUEST_ID_HEADER, respondInternalError } from './transport/problem.ts';
import { getProcessLimits } from './transport/process-limits.ts';
import { takeToken, usualRate } from './transport/rate-limit.ts';
import { API_METHODS, pathNotFound } from './transport/reject-invalid-request.ts';
import { annotateRequestLog, logRequest } from './transport/request-log.ts';
import { serveRequest } from './transport/serve-request.ts';
import { retainRequest } from './transport/stream-body.ts';

/** Watched every few seconds, for ever: their spans would hide all others. */
const UNTRACED = ['/health', '/live', '/metrics'];

const API: Api = { handle: handleApi, describe: openApiDocument };

/** Responds to everything below `/api`, and to `/mcp`: always JSON, including unknown paths and methods. */
export async function handleApi(ctx: Context, request: Request): Promise<Response> {
  const startedAtMs = performance.now();
  const path = new URL(request.url).pathname.replace(/^\/api/, '');
  const match = matchRoute(ctx, getMethod(request), path);
  return await inRequestSpan(ctx, request, match.label, async (inner, span) => {
    const traceId = span?.traceId ?? randomUUID();
    const log = ctx.log.child({ traceId, method: request.method, path: redactPath(path) });
    const release = retainRequest(request);
    const response = await respond({ ...inner, log, traceId }, request, match).finally(release);
    response.headers.set(REQUEST_ID_HEADER, traceId);
    if (isPublic(match)) allowAnyOrigin(response);
    announceDeprecation(ctx, response, `${request.method} ${match.label}`);
    const durationMs = performance.now() - startedAtMs;
    observeRequest(match.label, request.method, response.status, durationMs / 1000);
    logRequest(ctx, request, { response, durationMs });
    log.info({ status: response.status, durationMs: Math.round(durationMs * 10) / 10 }, 'request');
    return response;
  });
}

/** Returns the method that a request means: clients that cannot send PATCH send it as POST. */
function getMethod({ method, headers }: Request): string {
  return method === 'POST' && headers.get('x-http-method-override') === 'PATCH' ? 'PATCH' : method;
}

interface RouteMatch {
  /** Absent for an unknown path or method. */
  readonly route: Route | undefined;
  readonly segment: string;
  /** Methods of the path. */
  readonly methods: readonly string[];
  readonly audiences: readonly Route['audience'][];
  /** Template of the path without its parameter, for metrics and traces. */
  readonly label: string;
}

function matchRoute(ctx: Context, method: string, path: string): RouteMatch {
  const matching = listRoutes(getOperations(ctx)).flatMap((route) => {
    const segment = matchPath(route, path);
    return segment === null ? [] : [{ route, segment }];
  });
  const by = (name: string) => matching.find(({ route }) => route.method === name);
  const match = by(method) ?? (method === 'HEAD' ? by('GET') : undefined);
  const [before, after] = splitTemplate((match ?? matching[0])?.route.path ?? 'unknown');
  return {
    route: match?.route,
    segment: match?.segment ?? '',
    methods: matching.map(({ route }) => route.method),
    audiences: matching.map(({ route }) => route.audience),
    label: before + after,
  };
}

/** Returns the segment of a path that stands for the parameter of a route, or null for another path. */
function matchPath({ path: template }: Route, path: string): string | null {
  if (!template.includes('{')) return template === path ? '' : null;
  const [before, after] = splitTemplate(template);
  if (!path.startsWith(before) || !path.endsWith(after)) return null;
  const segment = path.slice(before.length, path.length - after.length);
  return segment !== '' && !segment.includes('/') ? segment : null;
}

function splitTemplate(template: string): [before: string, after: string] {
  const [before = '', after = ''] = template.split(/\{\w+\}/);
  return [before, after];
}

/** Handles a request from authentication to the response, which states what is left of the rate. */
async function respond(ctx: Context, request: Request, match: RouteMatch): Promise<Response> {
  const { route, methods, segment } = match;
  if (isPreflight(request) && isPublic(match)) {
    return preflightResponse(methods.length > 0 ? methods : API_METHODS);
  }
  let headers: Record<string, string> = {};
  let response: Response;
  try {
    // 1. Authenticate.
    const actor = await authenticate(ctx, request, route);
    if (actor) annotateRequestLog(request, { actor });
    // 2. Take a token of the rate of the key, the session or the address.
    const rate = await takeRate(ctx, request, route, actor);
    headers = rate?.headers ?? {};
    if (rate && !rate.allowed) throw rate.refusal;
    // 3. Handle.
    if (!route) {
      if (methods.length > 0) headers = { ...headers, allow: methods.join(', ') };
      throw noSuchRoute(request, methods);
    }
    const call = { ctx, request, segment, api: API };
    if (route.permission === undefined) response = await route.handle(call);
    else if (actor) response = await handleInProgress(route, { ...call, actor });
    else throw new Error(`${route.path} has no caller`);
  } catch (thrown) {
    const faults = route?.permission === undefined ? undefined : route.errorOverrides;
    response = problemResponse(thrown, ctx, { faults, signal: request.signal });
  }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/**
 * Returns the caller of a route that needs one. A request without a route needs no key, but one with a valid key is
 * logged: people look there for the request whose path they mistyped.
 * @throws OperationError `unauthorized` or `forbidden`
 */
async function authenticate(
  ctx: Context,
  request: Request,
  route: Route | undefined,
): Promise<Actor | undefined> {
  if (route) {
    const { permission } = route;
    if (permission === undefined) return undefined;
    return await authenticateRequest(ctx, request, route.authentication, permission);
  }
  const apiKey = readApiKey(request, 'either');
  return apiKey === undefined ? undefined : await authenticateKey(ctx.db, apiKey).catch(() => undefined);
}

async function takeRate(
  ctx: Context,
  request: Request,
  route: Route | undefined,
  actor: Actor | undefined,
): Promise<Awaited<ReturnType<typeof takeToken>> | undefined> {
  if (actor) return await takeToken(ctx, actor.rateId);
  if (route?.permission !== undefined || route?.bucket === undefined) return undefined;
  return await takeToken(
    ctx,
    addressBucket(route.bucket, request),
    route.rate ?? usualRate(ctx, 'requests from this address'),
  );
}

/** Creates the error of an unknown path or method. @param methods of the path; none for an unknown one */
function noSuchRoute(request: Request, methods: readonly string[]): OperationError {
  if (methods.length === 0) return pathNotFound(new URL(request.url).pathname);
  return new OperationError('method_not_allowed', `Use ${methods.join(', ')} here.`);
}

/**
 * Checks that a key may use a route: one with the permission `worker` only those for machines of the account, and
 * another one with limits all but these. A token may use few.
 * @throws OperationError `forbidden`
 */
function assertKeyMayUse(
  { isForWorkers = false, isForTokens = false }: KeyedRoute,
  { isWorker = false, tokenId, visibleKeyIds }: Actor,
): void {
  if (tokenId !== undefined && !isForTokens) {
    throw new OperationError('forbidden', 'A token may not use this. Send an API key.');
  }
  if (isWorker && !isForWorkers) {
    throw new OperationError('forbidden', 'This API key has the permission worker alone. Use another key.');
  }
  if (!isForWorkers || isWorker || !visibleKeyIds) return;
  throw new OperationError(
    'forbidden',
    'This API key has limits, and may not take jobs of other keys. Use one with the permission worker.',
  );
}

/** Handles a call within the account's limit on requests in progress. What a session changes is recorded. */
async function handleInProgress(route: KeyedRoute, call: KeyedCall): Promise<Response> {
  const { ctx, actor } = call;
  assertKeyMayUse(route, actor);
  const place = getProcessLimits(ctx.env).requests.acquire(actor.accountId, 1);
  const response = await route.handle(call).finally(place.release);
  if (route.action !== undefined && response.ok) await recordUse(call, route.action);
  return response;
}

/**
 * Records what the person of a session has done with the account, tests aside. It is done: the caller must not take it
 * for a failure.
 */
async function recordUse(call: KeyedCall, action: string): Promise<void> {
  const { ctx, request, segment } = call;
  const { accountId, userId, isTest } = call.actor;
  if (userId === undefined || isTest) return;
  const subject = segment || new URL(request.url).pathname;
  const address = request.headers.get(CLIENT_ADDRESS);
  const event = { accountId, userId, action, subject, address };
  await recordAuditEvent(ctx.db, event).catch((err: unknown) =>
    ctx.log.error({ err, action }, 'audit event not recorded'),
  );
}

/** Reports whether a path belongs to the public API, or to nothing. */
function isPublic({ audiences }: RouteMatch): boolean {
  return (
    audiences.length === 0 || audiences.some((audience) => audience === 'programs' || audience === 'agents')
  );
}

/**
 * Handles an API request within its span. A caller's own trace is linked, not continued: otherwise strangers would
 * choose the ids of our traces, and whether they are recorded.
 * @param route template of the path below `/api`; `unknown` for a path that has none
 */
async function inRequestSpan(
  ctx: Context,
  request: Request,
  route: string,
  handle: (ctx: Context, span: Span | undefined) => Promise<Response>,
): Promise<Response> {
  if (UNTRACED.includes(route)) return await handle(ctx, undefined);
  const method = API_METHODS.includes(request.method) ? request.method : '_OTHER';
  const isKnown = route !== 'unknown';
  const work = async (inner: Context, span: Span | undefined) => {
    const response = await handle(inner, span);
    span?.set({ 'http.response.status_code': response.status });
    if (response.status >= 500) span?.fail(String(response.status));
    return response;
  };
  return await inSpan(ctx, isKnown ? `${method} ${route}` : method, work, {
    kind: 'server',
    link: request.headers.get('traceparent'),
    attributes: { 'http.request.method': method, ...(isKnown && { 'http.route': route }) },
  });
}

/** Reports whether a request of this target belongs to the API that programs call. */
export function isApiTarget(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  return path === MCP_PATH || isReceiptKeysTarget(target) || isProgramsPath(path);
}

/** Serves the API straight from Node. */
export function createApiListener(ctx: Context): RequestListener {
  return (incoming, outgoing) => {
    serveRequest(incoming, outgoing, (request) => handleApi(ctx, request)).catch(async (thrown) => {
      if (!outgoing.headersSent && !outgoing.destroyed) {
        return await respondInternalError(thrown, outgoing, ctx.log);
      }
      // The client left, or the source of a stream failed: the broken connection reports it.
      ctx.log.debug({ err: thrown }, 'response not sent whole');
      outgoing.destroy();
    });
  };
}
