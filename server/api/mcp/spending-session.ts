import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, type MicroUsd, parseUsd } from '../../../models/core/operation/money.ts';
import type { Context, SpendingSession } from '../../base/context/context.ts';
import { getServiceSecret } from '../../base/secrets/index.ts';
import type { Actor } from '../../identity/keys/index.ts';

/** Header of the limit, in US dollars. */
const LIMIT_HEADER = 'X-Spending-Limit-USD';
/** Header that names the session, by the specification of the protocol. */
export const SESSION_HEADER = 'mcp-session-id';

const SESSION_SECONDS = 86_400;
const TOKEN = /^([\da-f-]{36})_(\d{1,12}(?:\.\d{1,6})?)_(\d{1,12})_([\w-]{43})$/;

/**
 * Begins a session with the spending limit of a request, which a token carries: the service stores nothing of it but
 * the session of each job, so that sessions need no bound and hold on every machine.
 * @returns the token; undefined without a limit
 * @throws OperationError `bad_request` naming the header
 */
export async function beginSession(
  ctx: Context,
  request: Request,
  actor: Actor,
): Promise<string | undefined> {
  const limit = readLimit(request);
  if (limit === undefined) return undefined;
  const expiresAt = Math.floor(Date.now() / 1000) + SESSION_SECONDS;
  const claims = [randomUUID(), formatUsd(limit), expiresAt].join('_');
  return `${claims}_${await sign(ctx, claims, actor)}`;
}

/**
 * Returns the session of a request after the first one; undefined where it has no limit.
 * @throws OperationError `not_found` when the session has ended or is another key's; `bad_request` for a limit without
 *   a session
 */
export async function findSession(
  ctx: Context,
  request: Request,
  actor: Actor,
): Promise<SpendingSession | undefined> {
  const token = request.headers.get(SESSION_HEADER);
  const limit = readLimit(request);
  if (token === null) {
    if (limit === undefined) return undefined;
    throw fieldError('Mcp-Session-Id', `must come with ${LIMIT_HEADER}: send "initialize" first.`);
  }
  const [, id, own, expiresAt, signature] = TOKEN.exec(token) ?? [];
  const isKnown =
    id &&
    own &&
    expiresAt &&
    signature &&
    isEqual(signature, await sign(ctx, `${id}_${own}_${expiresAt}`, actor));
  if (!isKnown || Number(expiresAt) * 1000 <= Date.now()) {
    throw new OperationError(
      'not_found',
      'There is no such session, or it has ended. Send "initialize" again.',
    );
  }
  const granted = parseUsd(own);
  return { id, limit: limit !== undefined && limit < granted ? limit : granted };
}

function readLimit({ headers }: Request): MicroUsd | undefined {
  const text = headers.get(LIMIT_HEADER);
  if (text === null) return undefined;
  try {
    const limit = parseUsd(text);
    if (limit >= 0n) return limit;
  } catch {
    // Reported below, as a negative amount is.
  }
  throw fieldError(LIMIT_HEADER, 'must be an amount in US dollars, such as 2.50.');
}

/** Signs a session for one key of an account. */
async function sign({ db }: Context, claims: string, { accountId, keyId }: Actor): Promise<string> {
  const secret = await getServiceSecret(db, 'spending-sessions');
  return createHmac('sha256', secret).update(`${claims} ${accountId} ${keyId}`).digest('base64url');
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
