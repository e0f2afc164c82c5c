import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { visitorOf } from '../auth/index.ts';
import type { Context } from '../context.ts';
import { appRouter } from '../trpc/router.ts';
import { assertOwnPage } from './assert-own-page.ts';
import { holdRequest } from './held-requests.ts';
import { problem } from './problem.ts';
import { readText } from './read-text.ts';

const BODY_BYTES_MAX = 256_000;

/** Responds to everything below `/api/trpc`: the calls of the dashboard. */
export async function handleDashboardCalls(ctx: Context, request: Request): Promise<Response> {
  const release = holdRequest(request);
  request.signal.addEventListener('abort', release, { once: true });
  try {
    assertOwnPage(ctx, request);
    const response = await fetchRequestHandler({
      endpoint: '/api/trpc',
      req: await bounded(request),
      router: appRouter,
      createContext: async () => ({
        ctx,
        visitor: await visitorOf(ctx, request.headers),
        headers: request.headers,
      }),
    });
    response.headers.set('cache-control', 'no-store');
    response.headers.set('x-content-type-options', 'nosniff');
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) release();
    return response;
  } catch (thrown) {
    release();
    return problem(thrown, ctx.log, request);
  }
}

/** @throws OperationError `too_large` for a body that no call of the dashboard has */
async function bounded(request: Request): Promise<Request> {
  if (request.method !== 'POST') return request;
  const { url, headers, signal } = request;
  return new Request(url, { method: 'POST', headers, signal, body: await readText(request, BODY_BYTES_MAX) });
}
