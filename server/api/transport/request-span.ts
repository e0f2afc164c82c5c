import type { Context } from '../../base/context/context.ts';
import { inSpan, type Span } from '../../base/tracing/index.ts';

/** Watched every few seconds, for ever: their spans would hide all others. */
const UNTRACED = ['/health', '/metrics'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Handles an API request within its span. A caller's own trace is linked, not continued: otherwise strangers would
 * choose the ids of our traces, and whether they are recorded.
 * @param route template of the path below `/api`; `unknown` for a path that has none
 */
export async function inRequestSpan(
  ctx: Context,
  request: Request,
  route: string,
  handle: (ctx: Context, span: Span | undefined) => Promise<Response>,
): Promise<Response> {
  if (UNTRACED.includes(route)) return await handle(ctx, undefined);
  const method = METHODS.includes(request.method) ? request.method : '_OTHER';
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
