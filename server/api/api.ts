import { randomUUID } from 'node:crypto';
import { OperationError } from '../../models/core/operation/errors.ts';
import { type Context, getOperations } from '../base/context/context.ts';
import { announceDeprecation } from './deprecations.ts';
import { observeRequest } from './metrics.ts';
import { allowAnyOrigin, isPreflight, preflightResponse } from './origins/cross-origin.ts';
import { REQUEST_ID_HEADER } from './problems/build-problem.ts';
import { logRequest } from './request-log/log-request.ts';
import { respondUnrouted } from './respond-unrouted.ts';
import type { Route } from './route.ts';
import { listRoutes } from './routes.ts';
import { problemResponse } from './transport/problem.ts';
import { redactPath } from './transport/redact-path.ts';
import { API_METHODS, pathNotFound } from './transport/reject-invalid-request.ts';
import { inRequestSpan } from './transport/request-span.ts';
import { retainRequest } from './transport/retain-request.ts';

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
    const route = `${request.method} ${found.label}`;
    announceDeprecation(ctx, response, route);
    const durationMs = performance.now() - startedAtMs;
    observeRequest(found.label, request.method, response.status, durationMs / 1000);
    logRequest(ctx, request, { response, durationMs });
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
    if (route) return await route.handle(ctx, request, pathRemainder(route, path) ?? '', handleApi);
    return await respondUnrouted(ctx, request, async () => {
      if (matching.length > 0) return methodNotAllowed(ctx, matching);
      throw pathNotFound(new URL(request.url).pathname);
    });
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
