import { createHash } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { OperationError } from '../../models/errors.ts';
import type { Context } from '../context.ts';
import { type Executor, schema } from '../db.ts';

const { idempotencyKeys } = schema;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A claim on an idempotency key: until it is recorded or dropped, or its time is up, the same key is answered 409. */
export interface IdempotencyClaim {
  readonly accountId: string;
  readonly key: string;
  readonly lockedUntil: Date;
}

const KEY_CHARACTERS_MAX = 255;
/** A process that died in the middle of a request blocks its key no longer than this. */
const CLAIM_SECONDS = 300;

/** What a key stands for already: an answer, or a job whose end is the answer. */
export type Earlier = { readonly replay: Answer } | { readonly jobId: string; readonly isLocked: boolean };

/**
 * Claims the request's Idempotency-Key, or finds what came of it before.
 * @returns null without the header
 * @throws OperationError `bad_request` (key too long), `unprocessable` (another body), `conflict` (still running)
 */
export async function claimIdempotencyKey(
  ctx: Context,
  accountId: string,
  request: Request,
  body: string,
): Promise<{ claim: IdempotencyClaim } | Earlier | null> {
  const key = request.headers.get('idempotency-key');
  if (key === null) return null;
  if (key.length === 0 || key.length > KEY_CHARACTERS_MAX) {
    throw new OperationError(
      'bad_request',
      `Idempotency-Key: must be 1 to ${KEY_CHARACTERS_MAX} characters long.`,
    );
  }
  const path = new URL(request.url).pathname;
  const fingerprint = createHash('sha256').update(`${request.method} ${path}\n`).update(body).digest();
  const [claimed] = await ctx.db.execute<{ locked_until: string }>(sql`
    insert into idempotency_keys as i (account_id, key, fingerprint, locked_until)
    values (${accountId}, ${key}, ${fingerprint}, now() + ${CLAIM_SECONDS} * interval '1 second')
    on conflict (account_id, key) do update
      set fingerprint = excluded.fingerprint, locked_until = excluded.locked_until, created_at = now(),
          response_status = null, response_body = null, job_id = null
      where i.created_at < now() - interval '24 hours'
         or (i.response_status is null and i.job_id is null and i.locked_until < now() and i.fingerprint = excluded.fingerprint)
    returning locked_until`);
  if (claimed) return { claim: { accountId, key, lockedUntil: new Date(claimed.locked_until) } };
  return await findEarlier(ctx, accountId, key, fingerprint);
}

async function findEarlier(
  ctx: Context,
  accountId: string,
  key: string,
  fingerprint: Buffer,
): Promise<Earlier> {
  const row = await ctx.db.query.idempotencyKeys.findFirst({
    where: and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key)),
  });
  if (row && !row.fingerprint.equals(fingerprint)) {
    throw new OperationError(
      'unprocessable',
      'Idempotency-Key: was used before for another request. Use a new key for a new request.',
    );
  }
  if (row && row.responseStatus !== null && row.responseBody !== null) {
    return { replay: { status: row.responseStatus, body: JSON.parse(row.responseBody) } };
  }
  if (row?.jobId) return { jobId: row.jobId, isLocked: row.lockedUntil > new Date() };
  throw stillRunning();
}

export function stillRunning(): OperationError {
  return new OperationError('conflict', 'Idempotency-Key: the first request with this key is still running.');
}

/**
 * From here on the key stands for a job: in the transaction that accepts it. So neither a crash nor a client that leaves
 * can make the same request a second job.
 * @throws OperationError `conflict` when the claim has passed to another request
 */
export async function bindToJob(db: Executor, claim: IdempotencyClaim, jobId: string): Promise<void> {
  await update(db, claim, { jobId });
}

/** Lets the next request with the key wait for the job in place of this one, which nobody waits for any more. */
export async function unlock(db: Executor, claim: IdempotencyClaim): Promise<void> {
  await update(db, claim, { lockedUntil: sql`now()` });
}

/**
 * Writes the answer down; in the transaction of the work itself, so that both are there or neither.
 * @throws OperationError `conflict` when the claim has passed to another request
 */
export async function recordAnswer(db: Executor, claim: IdempotencyClaim, answer: Answer): Promise<void> {
  await update(db, claim, { responseStatus: answer.status, responseBody: JSON.stringify(answer.body) });
}

async function update(
  db: Executor,
  claim: IdempotencyClaim,
  values: PgUpdateSetSource<typeof idempotencyKeys>,
): Promise<void> {
  const held = await db
    .update(idempotencyKeys)
    .set(values)
    .where(heldBy(claim))
    .returning({ key: idempotencyKeys.key });
  if (held.length === 0) {
    throw new OperationError(
      'conflict',
      'Idempotency-Key: this request took too long and another took its place.',
    );
  }
}

/** Lets go of a key whose request came to no job and to no answer that should be repeated. */
export async function dropClaim(db: Executor, claim: IdempotencyClaim): Promise<void> {
  await db.delete(idempotencyKeys).where(and(heldBy(claim), isNull(idempotencyKeys.jobId)));
}

function heldBy(claim: IdempotencyClaim) {
  return and(
    eq(idempotencyKeys.accountId, claim.accountId),
    eq(idempotencyKeys.key, claim.key),
    eq(idempotencyKeys.lockedUntil, claim.lockedUntil),
    isNull(idempotencyKeys.responseStatus),
  );
}
