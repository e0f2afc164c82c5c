import { randomBytes } from 'node:crypto';
import { and, count, eq, gt, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { InputField } from '../../../models/core/operation/inputs.ts';
import { getBytesMax } from '../../../models/core/operation/request.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import type { Context } from '../../base/context/context.ts';
import { type Executor, schema, type Tx } from '../../base/database/db.ts';
import { lockOpenAccount } from '../../base/database/lock-account.ts';

/** Lifetime of an unused upload. */
export const UPLOAD_HOURS = 1;

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

/** Builds the error for an unavailable upload, for the caller to prefix with the field. */
export function unusableUpload(): OperationError {
  return new OperationError(
    'bad_request',
    `this account has no such unused upload: each can be used in one request, within ${UPLOAD_HOURS} hour. Send the file to POST /api/uploads again.`,
  );
}

/**
 * Makes room for one upload of an account after the other, so that concurrent ones cannot fill the last place twice.
 * @param write stores the upload's row, in the same transaction
 * @throws OperationError `too_many_requests` without room; `unauthorized` when the account was deleted
 */
export async function reserveUpload(
  ctx: Context,
  accountId: string,
  bytes: number,
  write: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { accounts } = schema;
  await ctx.db.transaction(async (tx) => {
    await lockOpenAccount(tx, accountId);
    await tx.select().from(accounts).where(eq(accounts.id, accountId)).for('no key update');
    await assertUploadQuota(ctx, tx, accountId, { uploads: 0, bytes });
    await write(tx);
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
    `${present} uploads wait for this account or are arriving, and at most ${max.uploads} with ${max.bytes} bytes may. Use them, or wait until they expire, ${UPLOAD_HOURS} hour after they came.`,
  );
}
