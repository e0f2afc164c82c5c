import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { OperationError } from '../../models/errors.ts';
import { isFromOwnPage, visitorOf } from '../auth/index.ts';
import type { Context } from '../context.ts';
import { appRouter } from '../trpc/router.ts';
import { holdRequest } from './held-requests.ts';
import { problem } from './problem.ts';

/** Responds to everything below `/api/trpc`: the calls of the dashboard. */
export async function handleDashboardCalls(ctx: Context, request: Request): Promise<Response> {
  const release = holdRequest(request);
  request.signal.addEventListener('abort', release, { once: true });
  try {
    if (!isFromOwnPage(request, ctx.env)) {
      throw new OperationError('forbidden', 'Only this service’s own pages may use this.');
    }
    const response = await fetchRequestHandler({
      endpoint: '/api/trpc',
      req: request,
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
