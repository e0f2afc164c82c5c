import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { Context } from '../../base/context.ts';
import { findVisitor } from '../../identity/auth/index.ts';
import { assertOwnPage } from '../account/authenticate-request.ts';
import { problemResponse } from '../transport/problem.ts';
import { readText } from '../transport/read-request.ts';
import { retainRequest } from '../transport/stream-body.ts';
import { appRouter } from './router.ts';

const BODY_BYTES_MAX = 256_000;

/** Responds to everything below `/api/trpc`: the calls of the dashboard. */
export async function handleCalls(ctx: Context, request: Request): Promise<Response> {
  const release = retainRequest(request);
  request.signal.addEventListener('abort', release, { once: true });
  try {
    assertOwnPage(ctx, request);
    const response = await fetchRequestHandler({
      endpoint: '/api/trpc',
      req: await limitBody(request),
      router: appRouter,
      createContext: async () => ({
        ctx,
        visitor: await findVisitor(ctx, request.headers),
        headers: request.headers,
      }),
    });
    response.headers.set('cache-control', 'no-store');
    response.headers.set('x-content-type-options', 'nosniff');
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) release();
    return response;
  } catch (thrown) {
    release();
    return problemResponse(thrown, ctx, request);
  }
}

/** @throws OperationError `too_large` for a body that no call of the dashboard has */
async function limitBody(request: Request): Promise<Request> {
  if (request.method !== 'POST') return request;
  const { url, headers, signal } = request;
  return new Request(url, { method: 'POST', headers, signal, body: await readText(request, BODY_BYTES_MAX) });
}
