import { randomBytes } from 'node:crypto';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { isSameText, signText } from '../../base/secrets/index.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';

/** Header that carries the token. */
const FETCH_TOKEN = 'x-fetch-token';
/** Tokens per address. A page needs one every few minutes. */
const RATE = { counts: 'tokens for links from this address', perSecond: 0.2, burst: 20 };

const COOKIE = 'fetch-session';
const COOKIE_SECONDS = 86_400;
const SESSION = /^[\w-]{22}$/;
const TOKEN_SECONDS = 600;

/**
 * Gives one of our pages a token for POST /fetch. It works for some minutes, and only together with a cookie that no
 * script and no other site can send.
 */
export const createFetchToken = defineRoute({
  method: 'POST',
  path: '/fetch/token',
  audience: 'pages',
  bucket: 'fetch-token',
  rate: RATE,
  async handle({ ctx, request }) {
    assertOwnPage(request);
    const session = getSession(request) ?? randomBytes(16).toString('base64url');
    const expiresAt = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
    const token = `${expiresAt}.${await getSignature(ctx, session, expiresAt)}`;
    const isSecure = ctx.env.PUBLIC_URL.startsWith('https:');
    const cookie = `${COOKIE}=${session}; Path=/api/fetch; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Strict`;
    return jsonResponse(
      200,
      { token, expires_in_seconds: TOKEN_SECONDS },
      { 'set-cookie': isSecure ? `${cookie}; Secure` : cookie },
    );
  },
});

/**
 * Checks that a request comes from one of our pages, which has a token.
 * @throws OperationError `forbidden`
 */
export async function assertFetchToken(ctx: Context, request: Request): Promise<void> {
  assertOwnPage(request);
  const session = getSession(request);
  const [, expiresAt, signature] =
    /^(\d{1,12})\.([\w-]{43})$/.exec(request.headers.get(FETCH_TOKEN) ?? '') ?? [];
  if (session && expiresAt && signature && Number(expiresAt) * 1000 > Date.now()) {
    if (isSameText(signature, await getSignature(ctx, session, Number(expiresAt)))) return;
  }
  throw new OperationError(
    'forbidden',
    'X-Fetch-Token: is missing or has expired. Reload the page and allow its cookie, then try again.',
    { field: 'X-Fetch-Token' },
  );
}

/**
 * Rejects other sites. Browsers state a request's origin, and no script can forge it: Fetch Metadata, section 2.4.
 */
function assertOwnPage({ headers }: Request): void {
  if (headers.get('sec-fetch-site') === 'same-origin') return;
  throw new OperationError(
    'forbidden',
    'Only this service’s own pages may use this. Pass the URL to an operation, or fetch it yourself.',
  );
}

function getSession({ headers }: Request): string | undefined {
  const cookies = (headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const session = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  return session && SESSION.test(session) ? session : undefined;
}

function getSignature({ db }: Context, session: string, expiresAt: number): Promise<string> {
  return signText(db, 'fetch-tokens', `${session} ${expiresAt}`);
}
