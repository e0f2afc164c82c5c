import { randomBytes } from 'node:crypto';
import { and, count, eq, gt, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { InputField } from '../../../models/core/operation/inputs.ts';
import { getBytesMax } from '../../../models/core/operation/request.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import type { Context } from '../../base/context.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { lockOpenAccount } from '../../base/database/lock-account.ts';

/** Lifetime of an upload. */
export const UPLOAD_HOURS = { min: 1, max: 720, usual: 24 } as const;

/** Upload that is to come. */
export interface NewUpload {
  readonly accountId: string;
  /** null: a session. */
  readonly keyId: string | null;
  readonly tokenId?: string | undefined;
  /** Name of the file. */
  readonly name?: string | undefined;
  /** {@link UPLOAD_HOURS}. */
  readonly hours: number;
}

export type UploadRow = typeof schema.uploads.$inferSelect;

/** Largest input that any operation allows. */
export const UPLOAD_BYTES_MAX = Math.max(
  ...Object.values(OPERATIONS).flatMap((operation) =>
    Object.values<InputField>(operation.inputs).map((input) => getBytesMax(operation, input)),
  ),
);

/** Returns a token of 128 random bits. */
export function createToken(): string {
  return randomBytes(16).toString('base64url');
}

export function tooLarge(): OperationError {
  return new OperationError('body_too_large', `body: must be at most ${UPLOAD_BYTES_MAX} bytes.`);
}

/**
 * Turn of an upload among those of its account, in ms. A machine that vanishes in its turn, behind a proxy of TCP or a
 * pooler, loses it when it is idle for too long. Its other uploads, which wait, give up before that: each would be idle
 * for as long otherwise, one after the other.
 */
const TURN_MS = { waitMax: 15_000, idleMax: 20_000 };

/** Builds the error for an unavailable upload, for the caller to prefix with the field. */
export function unusableUpload(): OperationError {
  return new OperationError(
    'bad_request',
    'there is no such upload, or it has expired. Send the file to POST /api/uploads again.',
  );
}

/**
 * Records an upload, one of an account after the other, so that concurrent ones cannot fill the last place twice.
 * @throws OperationError `too_many_requests` without room; `unauthorized` when the account was deleted; an error of the
 *   database that is an outage when its turn does not come in time
 */
export async function insertUpload(
  ctx: Context,
  { hours, ...upload }: NewUpload,
  file: Pick<UploadRow, 'token' | 'bytes'> & Partial<UploadRow>,
): Promise<UploadRow> {
  const { accounts, uploads } = schema;
  const { accountId } = upload;
  return await ctx.db.transaction(async (tx) => {
    await lockOpenAccount(tx, accountId);
    await tx.execute(sql`
      with bounds as materialized (
        select set_config('lock_timeout', ${String(TURN_MS.waitMax)}, true),
          set_config('idle_in_transaction_session_timeout', ${String(TURN_MS.idleMax)}, true))
      select from ${accounts}, bounds where ${accounts.id} = ${accountId} for no key update of ${accounts}`);
    await assertUploadQuota(ctx, tx, accountId, { uploads: 0, bytes: file.bytes });
    const expiresAt = sql`now() + ${hours}::float8 * interval '1 hour'`;
    const [row] = await tx
      .insert(uploads)
      .values({ ...upload, ...file, expiresAt })
      .returning();
    if (!row) throw new Error('the upload was not returned');
    return row;
  });
}

/**
 * Checks that one more upload is within the account's limits.
 * @param more uploads besides it that are arriving, and the bytes of all of them
 */
export async function assertUploadQuota(
  { env }: Context,
  db: Executor,
  accountId: string,
  more: { uploads: number; bytes: number },
): Promise<void> {
  const { uploads } = schema;
  const [waiting] = await db
    .select({ uploads: count(), bytes: sql`coalesce(sum(${uploads.bytes}), 0)`.mapWith(Number) })
    .from(uploads)
    .where(and(eq(uploads.accountId, accountId), gt(uploads.expiresAt, sql`clock_timestamp()`)));
  const max = { uploads: env.ACCOUNT_UPLOADS_MAX, bytes: env.ACCOUNT_UPLOADS_MB * 1_000_000 };
  const present = (waiting?.uploads ?? 0) + more.uploads;
  if (present < max.uploads && (waiting?.bytes ?? 0) + more.bytes <= max.bytes) return;
  throw new OperationError(
    'too_many_requests',
    `${present} uploads of this account are stored or arriving, and at most ${max.uploads} with ${max.bytes} bytes may. Delete some, or wait until they expire.`,
  );
}
