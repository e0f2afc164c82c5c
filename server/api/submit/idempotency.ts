import { randomUUID } from 'node:crypto';
import { and, eq, gt, gte, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import {
  fieldError,
  getProblem,
  isTemporaryError,
  type OperationError,
} from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { IDEMPOTENCY_HOURS } from '../../base/periods.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { buildProblem, toOperationError } from '../transport/problem.ts';
import { readHeader } from '../transport/read-request.ts';
import type { BillableCall } from './billable-call.ts';

const { idempotencyKeys } = schema;

export interface RecordedResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Reservation of an idempotency key: until it is recorded, dropped or expired, the same key gets 409. It is a lease, which
 * the request renews: a process that dies blocks its keys for no longer.
 */
export interface KeyReservation {
  readonly accountId: string;
  readonly key: string;
  /** Request that holds the key: fences one that another has replaced. */
  readonly holder: string;
  /** Fingerprint with all files by their bytes, once they are known. */
  readonly contentFingerprint?: Buffer;
}

/** Caller, whose keys are its own where it has limits. */
type KeyOwner = Pick<Actor, 'accountId' | 'scopeId'>;

const KEY_CHARACTERS_MAX = 255;
/** Time after which a key may represent another request. */
const KEPT = sql`interval '1 hour' * ${IDEMPOTENCY_HOURS}::int`;
/** Longest time that a process which died during a request blocks its key. */
export const LEASE_SECONDS = 30;
/** Wait of a request that another with its key has overtaken: the other's outcome may be known by then. */
const OVERTAKEN_SECONDS = 5;
/** Part of a lease after which it is renewed. */
const RENEW_PART = 1 / 3;

const isRecent = gte(idempotencyKeys.createdAt, sql`now() - ${KEPT}`);
const isSettled = or(isNotNull(idempotencyKeys.responseStatus), isNotNull(idempotencyKeys.jobId));
const isNamed = (accountId: string, key: string) =>
  and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key));

/** What a key is bound to, and what earlier versions bound it to. */
type Fingerprints = readonly [now: Buffer, former?: Buffer];

/** Earlier result of a key: a response, or a job whose end gives the response. */
export type EarlierOutcome =
  | { readonly replay: RecordedResponse }
  | { readonly jobId: string; readonly lockedSeconds: number };

/** Returns the key of a request; null without the header. */
function readKey(request: Request): string | null {
  const key = readHeader(request, 'Idempotency-Key');
  if (key === null) return null;
  if (key.length === 0 || key.length > KEY_CHARACTERS_MAX) {
    throw fieldError('Idempotency-Key', `must be 1 to ${KEY_CHARACTERS_MAX} characters long.`);
  }
  return key;
}

/** Returns a key as it is stored, which no other caller's with limits can be. */
function scopeKey({ scopeId }: KeyOwner, key: string): string {
  // No header has a line break.
  return scopeId === undefined ? key : `${scopeId}\n${key}`;
}

/**
 * Reserves the request's Idempotency-Key, or finds its earlier result.
 * @param fingerprints what the key is bound to, and what earlier versions bound it to
 * @returns null without the header; `other` where the key is bound to another request, as far as that is known
 * @throws OperationError `bad_request` (key too long), `conflict` (still running)
 */
export async function reserveIdempotencyKey(
  ctx: Context,
  owner: KeyOwner,
  request: Request,
  fingerprints: Fingerprints,
): Promise<{ readonly reservation: KeyReservation } | EarlierOutcome | 'other' | null> {
  const sent = readKey(request);
  if (sent === null) return null;
  const { accountId } = owner;
  const [fingerprint, former] = fingerprints;
  const key = scopeKey(owner, sent);
  if (key !== sent && former && (await hasFormerRecord(ctx.db, { accountId, key: sent, former }))) {
    return await findEarlierOutcome(ctx, { accountId, key: sent }, [former]);
  }
  const reservation = { accountId, key, holder: randomUUID() };
  const reserved = await ctx.db.execute(sql`
    insert into idempotency_keys as i (account_id, key, fingerprint, locked_until, holder)
    values (${accountId}, ${key}, ${fingerprint}, ${leaseEnd()}, ${reservation.holder}::uuid)
    on conflict (account_id, key) do update
      set fingerprint = excluded.fingerprint, locked_until = excluded.locked_until, created_at = now(),
          holder = excluded.holder,
          content_fingerprint = null, response_status = null, response_body = null, job_id = null
      where i.created_at < now() - ${KEPT}
         or (i.response_status is null and i.job_id is null and i.locked_until < now() and i.fingerprint = excluded.fingerprint)
    returning key`);
  if (reserved.length > 0) return { reservation };
  return await findEarlierOutcome(ctx, { accountId, key }, fingerprints);
}

/**
 * Reports whether an earlier version has a record of a key. It scoped no keys, and it alone bound them to the former
 * fingerprint: once its records have expired, this finds none.
 */
async function hasFormerRecord(
  db: Executor,
  { accountId, key, former }: Pick<KeyReservation, 'accountId' | 'key'> & { readonly former: Buffer },
): Promise<boolean> {
  const isBound = and(isNamed(accountId, key), eq(idempotencyKeys.fingerprint, former));
  const isInUse = or(isSettled, gt(idempotencyKeys.lockedUntil, sql`now()`));
  return (await db.$count(idempotencyKeys, and(isBound, isRecent, isInUse))) > 0;
}

/**
 * Reports whether the request's Idempotency-Key has an earlier result: a response, or a job. A key that is too old to
 * be replayed has none.
 */
export async function hasEarlierOutcome(db: Executor, caller: KeyOwner, request: Request): Promise<boolean> {
  const key = readKey(request);
  if (key === null) return false;
  const isSame = isNamed(caller.accountId, scopeKey(caller, key));
  return (await db.$count(idempotencyKeys, and(isSame, isRecent, isSettled))) > 0;
}

/** Key of a request in progress; without one for a request that has none. */
export interface ReservedKey {
  readonly reservation: KeyReservation | undefined;
  /** Ends the renewal of the reservation. */
  endRenewal(): void;
}

/** Of a request without a key. */
export const NO_KEY: ReservedKey = { reservation: undefined, endRenewal() {} };

/**
 * Reserves the request's Idempotency-Key for as long as the request lasts, or finds its earlier outcome.
 * @param fingerprints as of {@link reserveIdempotencyKey}
 * @param fetchFingerprint fetches what the key may be bound to as well: a file at another URL may have the same bytes
 * @throws OperationError as {@link reserveIdempotencyKey} does, `unprocessable` for another request
 */
export async function reserveKey(
  ctx: Context,
  owner: KeyOwner,
  request: Request,
  fingerprints: Fingerprints,
  fetchFingerprint?: () => Promise<Buffer>,
): Promise<ReservedKey | { readonly earlier: EarlierOutcome }> {
  let outcome = await reserveIdempotencyKey(ctx, owner, request, fingerprints);
  if (outcome === 'other' && fetchFingerprint) {
    outcome = await reserveIdempotencyKey(ctx, owner, request, [await fetchFingerprint()]);
  }
  if (outcome === 'other') throw keyUsed();
  if (!outcome) return NO_KEY;
  if (!('reservation' in outcome)) return { earlier: outcome };
  const { reservation } = outcome;
  return { reservation, endRenewal: startRenewing(ctx, reservation) };
}

function keyUsed(): OperationError {
  return fieldError(
    'Idempotency-Key',
    'was used before for another request. Use a new key for a new request.',
    { code: 'unprocessable' },
  );
}

/**
 * Settles the key of a failed request. The client's own faults are replayed under the same key; after ours, a lost
 * connection or a bound, the request may be retried with it. Never rejects.
 */
export async function recordFailure(
  { ctx, request, operation }: BillableCall,
  { reservation, endRenewal }: ReservedKey,
  thrown: unknown,
): Promise<void> {
  endRenewal();
  if (!reservation) return;
  const error = toOperationError(thrown, request.signal);
  const { status, body } = buildProblem(error, '', getProblem(error.code, operation.errorOverrides));
  const { request_id: jobId, ...problem } = body;
  const isRetryable = isTemporaryError(error.code) || error.code === 'cancelled';
  const isClientError = status < 500 && !isRetryable;
  const settled = isClientError
    ? recordResponse(ctx.db, reservation, { status, body: jobId ? body : problem })
    : dropReservation(ctx.db, reservation);
  await settled.catch((err) => ctx.log.warn({ err }, 'idempotency key left to expire'));
}

async function findEarlierOutcome(
  ctx: Context,
  { accountId, key }: Pick<KeyReservation, 'accountId' | 'key'>,
  fingerprints: readonly (Buffer | undefined)[],
): Promise<EarlierOutcome | 'other'> {
  const { lockedUntil } = idempotencyKeys;
  const row = await ctx.db.query.idempotencyKeys.findFirst({
    where: isNamed(accountId, key),
    extras: {
      lockedSeconds: sql<number>`greatest(0, extract(epoch from ${lockedUntil} - now()))::float8`.as(
        'locked_seconds',
      ),
    },
  });
  const isSame = (known: Buffer | null) =>
    fingerprints.some((fingerprint) => fingerprint && known?.equals(fingerprint));
  if (row && !isSame(row.fingerprint) && !isSame(row.contentFingerprint)) return 'other';
  if (row && row.responseStatus !== null && row.responseBody !== null) {
    return { replay: { status: row.responseStatus, body: JSON.parse(row.responseBody) } };
  }
  if (row?.jobId) return { jobId: row.jobId, lockedSeconds: row.lockedSeconds };
  throw requestStillRunning(row?.lockedSeconds ?? 0);
}

/**
 * Creates the error for a key whose first request is still running.
 * @param lockedSeconds left of its lease
 */
export function requestStillRunning(lockedSeconds: number): OperationError {
  const retryAfterSeconds = Math.min(Math.max(1, Math.ceil(lockedSeconds)), LEASE_SECONDS);
  return fieldError('Idempotency-Key', 'the first request with this key is still running.', {
    code: 'conflict',
    retryAfterSeconds,
  });
}

/**
 * Renews a reservation until its end, so that it lasts as long as its request.
 * @returns a function that stops
 */
export function startRenewing({ db, log }: Context, reservation: KeyReservation): () => void {
  const renew = (): void => {
    db.update(idempotencyKeys)
      .set({ lockedUntil: leaseEnd() })
      .where(isHeldBy(reservation))
      .catch((err: unknown) => log.warn({ err }, 'the reservation of an idempotency key was not renewed'));
  };
  const timer = setInterval(renew, LEASE_SECONDS * RENEW_PART * 1000).unref();
  return () => clearInterval(timer);
}

function leaseEnd(): SQL {
  return sql`now() + ${LEASE_SECONDS}::int * interval '1 second'`;
}

/**
 * Binds the key to a job, in the transaction that accepts it. After that neither a crash nor a disconnected client
 * can turn the same request into a second job.
 * @throws OperationError `conflict` when another request holds the key
 */
export async function bindToJob(db: Executor, reservation: KeyReservation, jobId: string): Promise<void> {
  await update(db, reservation, { jobId });
}

/** State of a key that no request holds: no renewal locks it again. */
const UNLOCKED = { lockedUntil: sql`now()`, holder: null };

/** Releases the key so a retry with this key can wait for the job. */
export async function releaseReservation(db: Executor, reservation: KeyReservation): Promise<void> {
  await update(db, reservation, UNLOCKED);
}

/**
 * Records the response, in the transaction of the job itself, so that both are written or neither.
 * @throws OperationError `conflict` when another request holds the key
 */
export async function recordResponse(
  db: Executor,
  reservation: KeyReservation,
  response: RecordedResponse,
): Promise<void> {
  await update(db, reservation, {
    responseStatus: response.status,
    responseBody: JSON.stringify(response.body),
  });
}

async function update(
  db: Executor,
  reservation: KeyReservation,
  values: PgUpdateSetSource<typeof idempotencyKeys>,
): Promise<void> {
  const held = await db
    .update(idempotencyKeys)
    .set({ ...values, contentFingerprint: reservation.contentFingerprint ?? null })
    .where(isHeldBy(reservation))
    .returning({ key: idempotencyKeys.key });
  if (held.length === 0) {
    throw fieldError('Idempotency-Key', 'this request took too long and another took its place.', {
      code: 'conflict',
      retryAfterSeconds: OVERTAKEN_SECONDS,
    });
  }
}

/** Drops the reservation of a request that led to no job and to no repeatable response. */
export async function dropReservation(db: Executor, reservation: KeyReservation): Promise<void> {
  await db.delete(idempotencyKeys).where(and(isHeldBy(reservation), isNull(idempotencyKeys.jobId)));
}

/**
 * Frees the key of a job that ended without a charge and led to no response worth repeating: the request may be
 * retried. Another job keeps its key, and a retry waits for the job.
 */
export async function releaseKeyOfJob(db: Executor, accountId: string, jobId: string): Promise<void> {
  const { accountId: owner, jobId: bound, responseStatus } = idempotencyKeys;
  const isOfJob = and(eq(owner, accountId), eq(bound, jobId), isNull(responseStatus));
  const hasFailed = sql`exists (select from jobs where id = ${jobId} and status in ('FAILED', 'ERROR'))`;
  await db.delete(idempotencyKeys).where(and(isOfJob, hasFailed));
  await db.update(idempotencyKeys).set(UNLOCKED).where(isOfJob);
}

function isHeldBy(reservation: KeyReservation) {
  return and(
    isNamed(reservation.accountId, reservation.key),
    eq(idempotencyKeys.holder, reservation.holder),
    isNull(idempotencyKeys.responseStatus),
  );
}
