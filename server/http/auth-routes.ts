import { createHash } from 'node:crypto';
import { OperationError } from '../../models/errors.ts';
import { recordDeed } from '../audit/index.ts';
import { authOf, isFromOwnPage, visitorOf } from '../auth/index.ts';
import type { Context } from '../context.ts';
import { balance } from '../wallet/index.ts';
import { addressBucket, CLIENT_ADDRESS } from './client-address.ts';
import { jsonResponse, problem } from './problem.ts';
import { type BucketRate, rateLimited, takeToken } from './rate-limit.ts';
import { readText } from './read-text.ts';
import { pathNotFound } from './request-target.ts';

/** The paths of better-auth that our pages use. Nothing else of it can be reached. */
const PATHS: ReadonlySet<string> = new Set([
  'POST /sign-up/email',
  'POST /sign-in/email',
  'POST /sign-out',
  'POST /request-password-reset',
  'POST /reset-password',
  'GET /verify-email',
  'POST /change-password',
  'POST /change-email',
  'POST /update-user',
  'GET /list-sessions',
  'POST /revoke-session',
  'POST /revoke-other-sessions',
  'GET /passkey/generate-register-options',
  'POST /passkey/verify-registration',
  'GET /passkey/generate-authenticate-options',
  'POST /passkey/verify-authentication',
  'GET /passkey/list-user-passkeys',
  'POST /passkey/delete-passkey',
]);

/** Actions of people that are recorded once they have succeeded; a sign-in is, too, with the session that it makes. */
const DEEDS: Readonly<Record<string, string>> = {
  'POST /sign-out': 'sign-out',
  'POST /change-password': 'password.change',
  'POST /change-email': 'email.change',
  'POST /update-user': 'name.change',
  'POST /revoke-session': 'sessions.end',
  'POST /revoke-other-sessions': 'sessions.end',
  'POST /passkey/verify-registration': 'passkey.add',
  'POST /passkey/delete-passkey': 'passkey.delete',
};

/** Attempts from one address: a person who mistypes has enough, a list of passwords takes years. */
const ADDRESS_RATE: BucketRate = { perSecond: 0.2, burst: 30 };
/** Attempts at one account, from wherever they come. */
const EMAIL_RATE: BucketRate = { perSecond: 1 / 30, burst: 10 };
const BODY_BYTES_MAX = 64_000;
/** Tells scripts that somebody is signed in; it opens nothing. The session's own cookie is hidden from scripts. */
const HINT = 'darkroom-signed-in';
const HINT_SECONDS = 30 * 86_400;

/** Responds to everything below `/api/auth`. */
export async function handleAuth(ctx: Context, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const path = pathname.replace(/^\/api\/auth/, '');
  try {
    if (!PATHS.has(`${request.method} ${path}`)) throw pathNotFound(pathname);
    if (request.method === 'POST' && !isFromOwnPage(request, ctx.env)) {
      throw new OperationError('forbidden', 'Only this service’s own pages may use this.');
    }
    const body = request.method === 'POST' ? await readText(request, BODY_BYTES_MAX) : undefined;
    if (request.method === 'POST' || path === '/verify-email') await assertRate(ctx, request, body);
    const deed = DEEDS[`${request.method} ${path}`];
    // A sign-out leaves nobody to ask afterwards.
    const visitor = deed === undefined ? null : await visitorOf(ctx, request.headers);
    const auth = await authOf(ctx);
    const passed = new Request(request.url, {
      method: request.method,
      headers: request.headers,
      ...(body !== undefined && { body }),
    });
    const response = await auth.handler(passed);
    if (response.ok && visitor && deed !== undefined) {
      const { accountId, userId } = visitor;
      const address = request.headers.get(CLIENT_ADDRESS);
      await recordDeed(ctx.db, { accountId, userId, action: deed, address });
    }
    return finished(ctx, path, response);
  } catch (thrown) {
    return problem(thrown, ctx.log, request);
  }
}

/**
 * Responds to `GET /api/session`: who is signed in and what their wallet holds, for the header of every page, or
 * `{"visitor": null}`.
 */
export async function handleSession(ctx: Context, request: Request): Promise<Response> {
  try {
    const visitor = await visitorOf(ctx, request.headers);
    if (!visitor) return withHint(ctx, jsonResponse(200, { visitor: null }), false);
    const { available } = await balance(ctx.db, visitor.accountId);
    const { name, email } = visitor;
    return jsonResponse(200, { visitor: { name, email }, available_micro_usd: String(available) });
  } catch (thrown) {
    return problem(thrown, ctx.log, request);
  }
}

/** @throws OperationError `too_many_requests` */
async function assertRate(ctx: Context, request: Request, body = ''): Promise<void> {
  const email = emailIn(body);
  const buckets: [string, BucketRate][] = [[addressBucket('sign-in', request), ADDRESS_RATE]];
  if (email !== undefined) buckets.push([emailBucket(email), EMAIL_RATE]);
  for (const [bucket, rate] of buckets) {
    const { allowed, headers } = await takeToken(ctx, bucket, rate);
    if (allowed) continue;
    const { message } = rateLimited();
    const retryAfterSeconds = Number(headers['retry-after'] ?? 60);
    throw new OperationError('too_many_requests', message, { retryAfterSeconds });
  }
}

function emailIn(body: string): string | undefined {
  try {
    const { email } = JSON.parse(body) as { email?: unknown };
    return typeof email === 'string' ? email.trim().toLowerCase() : undefined;
  } catch {
    return undefined;
  }
}

function emailBucket(email: string): string {
  const hash = createHash('sha256').update(`sign-in ${email}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const REFUSED_SIGN_IN = {
  code: 'INVALID_EMAIL_OR_PASSWORD',
  message: 'The e-mail address or the password is wrong, or the address is not verified yet.',
};

/** Words a refused sign-in the same whatever its reason, and keeps the hint for scripts true. */
async function finished(ctx: Context, path: string, response: Response): Promise<Response> {
  if (path === '/sign-in/email' && [401, 403].includes(response.status)) {
    return jsonResponse(401, REFUSED_SIGN_IN);
  }
  const cookies = response.headers.getSetCookie();
  const session = cookies.find((cookie) => /session_token=/.test(cookie));
  const answer = new Response(response.body, response);
  answer.headers.set('cache-control', 'no-store');
  answer.headers.set('x-content-type-options', 'nosniff');
  if (session) return withHint(ctx, answer, !/session_token=;|Max-Age=0/i.test(session));
  return answer;
}

function withHint({ env }: Context, response: Response, isSignedIn: boolean): Response {
  const parts = [`${HINT}=${isSignedIn ? 1 : ''}`, 'Path=/', 'SameSite=Lax'];
  parts.push(`Max-Age=${isSignedIn ? HINT_SECONDS : 0}`);
  if (env.PUBLIC_URL.startsWith('https:')) parts.push('Secure');
  response.headers.append('set-cookie', parts.join('; '));
  return response;
}
