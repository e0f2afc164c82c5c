import { fieldError, OperationError } from '../../../models/operation/errors.ts';
import { recordAuditEvent } from '../../audit/index.ts';
import { findVisitor, getAuth, isOutdatedLink } from '../../auth/index.ts';
import type { Context } from '../../context.ts';
import { readBalance } from '../../wallet/index.ts';
import { CLIENT_ADDRESS } from '../limits/client-address.ts';
import { countMail, countSignInAttempt } from '../limits/sign-in-rate-limit.ts';
import { jsonResponse, problemResponse } from '../transport/problem.ts';
import { readText } from '../transport/read-text.ts';
import { pathNotFound } from '../transport/reject-invalid-request.ts';
import { assertOwnPage } from './assert-own-page.ts';
import { assertPassword } from './assert-password.ts';

/** The paths of better-auth that our pages use. Nothing else of it can be reached. */
export const AUTH_PATHS: ReadonlySet<string> = new Set([
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
const AUDITED_ACTIONS: Readonly<Record<string, string>> = {
  'POST /sign-out': 'sign-out',
  'POST /change-password': 'password.change',
  'POST /change-email': 'email.change',
  'POST /update-user': 'name.change',
  'POST /revoke-session': 'sessions.end',
  'POST /revoke-other-sessions': 'sessions.end',
  'POST /passkey/verify-registration': 'passkey.add',
  'POST /passkey/delete-passkey': 'passkey.delete',
};

/** Reads that write a row, or that try a token. */
const COUNTED_READS: ReadonlySet<string> = new Set([
  '/verify-email',
  '/passkey/generate-register-options',
  '/passkey/generate-authenticate-options',
]);
/** Field with the address that a mail goes to, by path. */
const MAIL_PATHS: Readonly<Record<string, string>> = {
  '/sign-up/email': 'email',
  '/request-password-reset': 'email',
  '/change-email': 'newEmail',
};
const BODY_BYTES_MAX = 64_000;

type Fields = Readonly<Record<string, unknown>>;

/** Tells scripts that somebody is signed in; it opens nothing. The session's own cookie is hidden from scripts. */
const SESSION_HINT = 'darkroom-signed-in';
const SESSION_HINT_SECONDS = 30 * 86_400;

/** Responds to everything below `/api/auth`. */
export async function handleAuth(ctx: Context, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const path = pathname.replace(/^\/api\/auth/, '');
  try {
    if (!AUTH_PATHS.has(`${request.method} ${path}`)) throw pathNotFound(pathname);
    // A link of a mail is opened from elsewhere.
    if (path !== '/verify-email') assertOwnPage(ctx, request);
    let fields = request.method === 'POST' ? await readFields(request) : undefined;
    if (fields ?? COUNTED_READS.has(path)) await assertAuthRate(ctx, request, path, fields ?? {});
    if (fields && path === '/change-email') fields = await withoutPassword(ctx, request, fields);
    const body = fields && JSON.stringify(fields);
    const deed = AUDITED_ACTIONS[`${request.method} ${path}`];
    // A sign-out leaves nobody to ask afterwards.
    const visitor = deed === undefined ? null : await findVisitor(ctx, request.headers);
    const auth = await getAuth(ctx);
    const passed = new Request(await currentUrl(ctx, request, path), {
      method: request.method,
      headers: request.headers,
      ...(body !== undefined && { body }),
    });
    const response = await auth.handler(passed);
    if (response.ok && visitor && deed !== undefined) {
      const { accountId, userId } = visitor;
      const address = request.headers.get(CLIENT_ADDRESS);
      await recordAuditEvent(ctx.db, { accountId, userId, action: deed, address });
    }
    return finishResponse(ctx, path, response);
  } catch (thrown) {
    return problemResponse(thrown, ctx, request);
  }
}

/**
 * Responds to `GET /api/session`: who is signed in and what their wallet holds, for the header of every page, or
 * `{"visitor": null}`.
 */
export async function handleSession(ctx: Context, request: Request): Promise<Response> {
  try {
    assertOwnPage(ctx, request);
    const visitor = await findVisitor(ctx, request.headers);
    if (!visitor) return setSessionHint(ctx, jsonResponse(200, { visitor: null }), false);
    const { available } = await readBalance(ctx.db, visitor.accountId);
    const { name, email } = visitor;
    return jsonResponse(200, { visitor: { name, email }, available_micro_usd: String(available) });
  } catch (thrown) {
    return problemResponse(thrown, ctx, request);
  }
}

/**
 * Counts what a stranger could do without end: guess passwords, have mails sent, have rows written.
 * @throws OperationError `too_many_requests`
 */
async function assertAuthRate(ctx: Context, request: Request, path: string, fields: Fields): Promise<void> {
  const address = (field: string) => {
    const value = fields[field];
    return typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  };
  // A request for a link tries no password: its owner must not be kept out by it.
  await countSignInAttempt(ctx, request, path === '/request-password-reset' ? undefined : address('email'));
  const mailed = MAIL_PATHS[path] && address(MAIL_PATHS[path]);
  if (mailed !== undefined) await countMail(ctx, path, mailed);
}

/** Returns the URL of a request, without the token of an outdated link. */
async function currentUrl(ctx: Context, request: Request, path: string): Promise<URL> {
  const url = new URL(request.url);
  const token = path === '/verify-email' ? url.searchParams.get('token') : null;
  if (token !== null && (await isOutdatedLink(ctx, token))) url.searchParams.set('token', 'outdated');
  return url;
}

/**
 * Reads the body as JSON: better-auth would take a form as well, whose fields nobody here has seen.
 * @throws OperationError `bad_request`
 */
async function readFields(request: Request): Promise<Fields> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw fieldError('Content-Type', 'must be application/json.');
  }
  const text = await readText(request, BODY_BYTES_MAX);
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as Fields;
  } catch {
    // The error below covers this as well.
  }
  throw new OperationError('bad_request', 'body: must be a JSON object.');
}

/**
 * Takes the password out of the fields of a change of address, and checks it: whoever finds a browser signed in must
 * not take the account with it.
 * @throws OperationError `unauthorized` or `bad_request`
 */
async function withoutPassword(ctx: Context, request: Request, fields: Fields): Promise<Fields> {
  const { password, ...rest } = fields;
  const visitor = await findVisitor(ctx, request.headers);
  if (!visitor) throw new OperationError('unauthorized', 'Sign in first.');
  await assertPassword(ctx, request, { email: visitor.email, password });
  return rest;
}

const REFUSED_SIGN_IN = {
  code: 'INVALID_EMAIL_OR_PASSWORD',
  message: 'The e-mail address or the password is wrong, or the address is not verified yet.',
};

/** Words a refused sign-in the same whatever its reason, and keeps the hint for scripts true. */
async function finishResponse(ctx: Context, path: string, response: Response): Promise<Response> {
  if (path === '/sign-in/email' && [401, 403].includes(response.status)) {
    return jsonResponse(401, REFUSED_SIGN_IN);
  }
  // better-auth's own response reveals by its fields whether the address was known.
  if (path === '/sign-up/email' && response.ok) return jsonResponse(200, {});
  // Whoever opens the link of a changed address has proven the address, not that the account is theirs.
  if (path === '/verify-email') response.headers.delete('set-cookie');
  const cookies = response.headers.getSetCookie();
  const session = cookies.find((cookie) => /session_token=/.test(cookie));
  const answer = new Response(response.body, response);
  answer.headers.set('cache-control', 'no-store');
  answer.headers.set('x-content-type-options', 'nosniff');
  if (session) return setSessionHint(ctx, answer, !/session_token=;|Max-Age=0/i.test(session));
  return answer;
}

function setSessionHint({ env }: Context, response: Response, isSignedIn: boolean): Response {
  const parts = [`${SESSION_HINT}=${isSignedIn ? 1 : ''}`, 'Path=/', 'SameSite=Lax'];
  parts.push(`Max-Age=${isSignedIn ? SESSION_HINT_SECONDS : 0}`);
  if (env.PUBLIC_URL.startsWith('https:')) parts.push('Secure');
  response.headers.append('set-cookie', parts.join('; '));
  return response;
}
