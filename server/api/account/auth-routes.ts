import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { assertPermitted } from '../../base/permissions.ts';
import { recordAuditEvent } from '../../identity/accounts/index.ts';
import {
  findVisitor,
  getAuth,
  isOutdatedLink,
  REVOKE_KEYS,
  resolveOwnUrl,
  signUpByInvitation,
  type Visitor,
} from '../../identity/auth/index.ts';
import { revokeAllKeys } from '../../identity/keys/index.ts';
import { readBalance } from '../../money/wallet/index.ts';
import { CLIENT_ADDRESS } from '../transport/client-address.ts';
import { jsonResponse, problemResponse } from '../transport/problem.ts';
import { pathNotFound } from '../transport/reject-invalid-request.ts';
import { assertPassword, countMail, countSignInAttempt } from './assert-password.ts';
import { AUTH_INPUTS, type AuthFields, readAuthFields } from './auth-inputs.ts';
import { assertOwnPage } from './authenticate-request.ts';

/** Actions that are recorded of calls that have succeeded; a sign-in is, too, with the session that it makes. */
const AUDITED_CALLS: Readonly<Record<string, readonly string[]>> = {
  'POST /sign-out': ['sign-out'],
  'POST /change-password': ['password.change'],
  'POST /change-email': ['email.change'],
  'POST /update-user': ['name.change'],
  'POST /revoke-session': ['sessions.end'],
  'POST /revoke-other-sessions': ['sessions.end'],
  'POST /passkey/verify-registration': ['passkey.add'],
  'POST /passkey/delete-passkey': ['passkey.delete'],
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

/** Tells scripts that a user is signed in; it opens nothing. The session's own cookie is hidden from scripts. */
const SESSION_HINT = 'darkroom-signed-in';
const SESSION_HINT_SECONDS = 30 * 86_400;

/** Responds to everything below `/api/auth`. */
export async function handleAuth(ctx: Context, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const path = pathname.replace(/^\/api\/auth/, '');
  const call = `${request.method} ${path}`;
  try {
    if (!AUTH_INPUTS.has(call)) throw pathNotFound(pathname);
    // A link of a mail is opened from elsewhere.
    if (path !== '/verify-email') assertOwnPage(ctx, request);
    let fields = await readAuthFields(ctx, request, call);
    if (request.method === 'POST' || COUNTED_READS.has(path))
      await assertAuthRate(ctx, request, path, fields);
    if (path === '/sign-up/invitation') return await signUpInvited(ctx, request, fields);
    if (path === '/change-email') fields = await withoutPassword(ctx, request, fields);
    // After a sign-out there is no user to ask.
    const visitor = AUDITED_CALLS[call] ? await findVisitor(ctx, request.headers) : null;
    if (visitor && fields.revokeKeys === true) assertPermitted(visitor.role, 'keys.change');
    const response = await askBetterAuth(ctx, request, path, fields);
    if (response.ok && visitor) await completeCall(ctx, request, { call, fields, visitor });
    return await finishResponse(ctx, path, response);
  } catch (thrown) {
    return problemResponse(thrown, ctx, request);
  }
}

/** Signs up by an invitation, and responds with the address to sign in with. */
async function signUpInvited(ctx: Context, request: Request, fields: AuthFields): Promise<Response> {
  const [token = '', name = '', password = ''] = [fields.token, fields.name, fields.password].map(String);
  const address = request.headers.get(CLIENT_ADDRESS);
  const email = await signUpByInvitation(ctx, { token, name, password, address });
  return jsonResponse(200, { email });
}

/**
 * Passes a call on with the fields that were read, and no others.
 * @throws Error when better-auth fails
 */
async function askBetterAuth(
  ctx: Context,
  request: Request,
  path: string,
  { revokeKeys, ...fields }: AuthFields,
): Promise<Response> {
  const { method } = request;
  const url = new URL(`/api/auth${path}`, ctx.env.PUBLIC_URL);
  const headers = new Headers(request.headers);
  headers.delete(REVOKE_KEYS);
  if (revokeKeys === true) headers.set(REVOKE_KEYS, '1');
  if (method === 'GET') url.search = String(await currentQuery(ctx, path, fields));
  const auth = await getAuth(ctx);
  const body = method === 'POST' ? { body: JSON.stringify(fields) } : {};
  const response = await auth.handler(new Request(url, { method, headers, ...body }));
  if (response.status >= 500) throw new Error(`better-auth responded ${response.status} to ${path}`);
  return response;
}

interface CompletedCall {
  readonly call: string;
  readonly fields: AuthFields;
  /** Person who was signed in when the call began. */
  readonly visitor: Visitor;
}

/** Records what the user did, and revokes the account's keys where a new password shall do that. */
async function completeCall(
  { db }: Context,
  request: Request,
  { call, fields, visitor: { accountId, userId } }: CompletedCall,
): Promise<void> {
  const actions = [...(AUDITED_CALLS[call] ?? [])];
  if (fields.revokeOtherSessions === true) actions.push('sessions.end');
  if (fields.revokeKeys === true) {
    await revokeAllKeys(db, accountId);
    actions.push('keys.revokeAll');
  }
  const address = request.headers.get(CLIENT_ADDRESS);
  for (const action of actions) await recordAuditEvent(db, { accountId, userId, action, address });
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
async function assertAuthRate(
  ctx: Context,
  request: Request,
  path: string,
  fields: AuthFields,
): Promise<void> {
  const address = (field: string) => {
    const value = fields[field];
    return typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  };
  // A request for a link tries no password: its owner must not be kept out by it.
  await countSignInAttempt(ctx, request, path === '/request-password-reset' ? undefined : address('email'));
  const mailed = MAIL_PATHS[path] && address(MAIL_PATHS[path]);
  if (mailed !== undefined) await countMail(ctx, path, mailed);
}

/** Returns the query of a call, without the token of an outdated link. */
async function currentQuery(ctx: Context, path: string, fields: AuthFields): Promise<URLSearchParams> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (typeof value === 'string') query.set(name, value);
  const token = path === '/verify-email' ? query.get('token') : null;
  if (token !== null && (await isOutdatedLink(ctx, token))) query.set('token', 'outdated');
  return query;
}

/**
 * Takes the password out of the fields of a change of address, and checks it: a finder of a signed-in browser must
 * not take the account with it.
 * @throws OperationError `unauthorized` or `bad_request`
 */
async function withoutPassword(ctx: Context, request: Request, fields: AuthFields): Promise<AuthFields> {
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
  // Opening the link of a changed address proves the address, not that the account is theirs.
  if (path === '/verify-email') response.headers.delete('set-cookie');
  const location = response.headers.get('location');
  if (location !== null && !resolveOwnUrl(location, ctx.env)) {
    throw new OperationError('forbidden', 'This would lead to another site.');
  }
  const cookies = response.headers.getSetCookie();
  const session = cookies.find((cookie) => /session_token=/.test(cookie));
  const copy = new Response(response.body, response);
  copy.headers.set('cache-control', 'no-store');
  copy.headers.set('x-content-type-options', 'nosniff');
  if (session) return setSessionHint(ctx, copy, !/session_token=;|Max-Age=0/i.test(session));
  return copy;
}

function setSessionHint({ env }: Context, response: Response, isSignedIn: boolean): Response {
  const parts = [`${SESSION_HINT}=${isSignedIn ? 1 : ''}`, 'Path=/', 'SameSite=Lax'];
  parts.push(`Max-Age=${isSignedIn ? SESSION_HINT_SECONDS : 0}`);
  if (env.PUBLIC_URL.startsWith('https:')) parts.push('Secure');
  response.headers.append('set-cookie', parts.join('; '));
  return response;
}
