import type { Context } from '../context.ts';
import { authenticateKey } from '../keys/index.ts';
import { readApiKey } from './account/authenticate-request.ts';
import { annotateRequestLog } from './request-log/annotate-request.ts';
import { withRateLimit } from './route.ts';

/**
 * Responds to a request that no route takes: an unknown path, or another method. Whoever mistyped a path looks for the
 * request in the log, so one with a valid key is logged, and counts for the rate of the key as any other does. The
 * response is the same without one.
 */
export async function respondUnrouted(
  ctx: Context,
  request: Request,
  respond: () => Promise<Response>,
): Promise<Response> {
  const apiKey = readApiKey(request, 'either');
  const actor = apiKey === undefined ? null : await authenticateKey(ctx.db, apiKey).catch(() => null);
  if (!actor) return await respond();
  annotateRequestLog(request, { actor });
  return await withRateLimit(ctx, request, actor.rateId, respond);
}
