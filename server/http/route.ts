import { recordAuditEvent } from '../audit/index.ts';
import type { Context } from '../context.ts';
import type { Actor } from '../keys/index.ts';
import type { Permission } from '../team/index.ts';
import { type Authentication, authenticateRequest } from './account/authenticate-request.ts';
import { addressBucket, CLIENT_ADDRESS } from './limits/client-address.ts';
import { getProcessLimits } from './limits/process-limits.ts';
import { type BucketRate, rateLimitExceeded, takeToken } from './limits/rate-limit.ts';
import { annotateRequestLog } from './request-log/annotate-request.ts';
import { problemResponse } from './transport/problem.ts';

/** The whole API, for a route that calls others on behalf of its caller. */
export type HandleApi = (ctx: Context, request: Request) => Promise<Response>;
export type Handler = (
  ctx: Context,
  request: Request,
  rest: string,
  handleApi: HandleApi,
) => Promise<Response>;
export type KeyedHandler = (
  ctx: Context,
  request: Request,
  actor: Actor,
  rest: string,
  handleApi: HandleApi,
) => Promise<Response>;

/** A path that ends in `/` takes one more segment, passed on as `rest`. */
export interface Route {
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

/** Rights to a route, and what the log says of its use. */
interface Access {
  readonly authentication: Authentication;
  /** Permission that the role of whoever is signed in needs, for a request by a session. */
  readonly permission: Permission;
  /** Action in the log of the account, for a request by a session; absent for one that changes nothing. */
  readonly action?: string;
}

/**
 * Authenticates, then applies the rate limit of the key or session and the account's limit on requests in progress;
 * every response states what is left of the rate. What a session changes is recorded.
 */
export function requireKey({ authentication, permission, action }: Access, handle: KeyedHandler): Handler {
  return async (ctx, request, rest, handleApi) => {
    const actor = await authenticateRequest(ctx, request, authentication, permission);
    annotateRequestLog(request, { actor });
    return withRateLimit(ctx, request, actor.rateId, async () => {
      const place = getProcessLimits(ctx.env).requests.acquire(actor.accountId, 1);
      const response = await handle(ctx, request, actor, rest, handleApi).finally(place.release);
      if (action !== undefined && response.ok) await recordUse(ctx, request, actor, { action, rest });
      return response;
    });
  };
}

/**
 * Records what the person of a session has done with the account, tests aside. It is done: the caller must not take it
 * for a failure.
 */
async function recordUse(
  { db, log }: Context,
  request: Request,
  { accountId, userId, isTest }: Actor,
  { action, rest }: { readonly action: string; readonly rest: string },
): Promise<void> {
  if (userId === undefined || isTest) return;
  const subject = rest || new URL(request.url).pathname;
  const address = request.headers.get(CLIENT_ADDRESS);
  await recordAuditEvent(db, { accountId, userId, action, subject, address }).catch((err: unknown) =>
    log.error({ err, action }, 'audit event not recorded'),
  );
}

/** Limits the rate of an address: the upload's URL is all that such a request needs. */
export function rateLimitUploads(handle: Handler): Handler {
  return (ctx, request, rest, handleApi) =>
    withRateLimit(ctx, request, addressBucket('uploads', request), () =>
      handle(ctx, request, rest, handleApi),
    );
}

/** Limits the rate of a key, a session or an address; the response states what is left of it. */
export async function withRateLimit(
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
