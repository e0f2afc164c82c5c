import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { and, count, eq, gt, sql } from 'drizzle-orm';
import { OperationError } from '../../models/errors.ts';
import { keepOpen } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { type Executor, schema } from '../db.ts';
import { type SavedFile, saveStream } from '../save-stream.ts';
import { withTempDir } from '../temp-dir.ts';
import { arrive } from './arriving.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from './terms.ts';
import { uploadKey } from './url.ts';

export interface Incoming {
  readonly accountId: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** Bytes that the sender declares; 0 without a declaration. */
  readonly declaredBytes: number;
}

export interface Received {
  readonly token: string;
  readonly bytes: number;
  readonly expiresAt: Date;
}

/**
 * Streams a file into storage, for one later request of its account. The object is stored before its row: a process
 * that dies in between leaves an orphan, which the clean-up deletes.
 * @throws OperationError `bad_request` when the body is empty or larger than any operation allows;
 *   `too_many_requests` when the account has too many unused uploads, unfinished ones included; `unauthorized` when it
 *   was deleted meanwhile
 */
export async function receiveUpload(ctx: Context, incoming: Incoming): Promise<Received> {
  if (incoming.declaredBytes > UPLOAD_BYTES_MAX) throw tooLarge();
  const { accountId, declaredBytes } = incoming;
  const { others, leave } = arrive(ctx.env, accountId, declaredBytes || UPLOAD_BYTES_MAX);
  try {
    await assertRoom(ctx, ctx.db, accountId, {
      uploads: others.uploads,
      bytes: others.bytes + declaredBytes,
    });
    return await receive(ctx, incoming);
  } finally {
    leave();
  }
}

async function receive(ctx: Context, incoming: Incoming): Promise<Received> {
  return await withTempDir(ctx.env, async (directory) => {
    const path = join(directory, 'upload');
    const saved = await saveStream(incoming.body, { path, bytesMax: UPLOAD_BYTES_MAX, tooLarge });
    if (saved.bytes === 0) {
      throw new OperationError('bad_request', 'body: is empty. Send the file itself as the body.');
    }
    const token = randomBytes(16).toString('base64url');
    await ctx.storage.putFile(uploadKey(token), path, 'application/octet-stream');
    try {
      const expiresAt = await record(ctx, incoming.accountId, token, saved);
      return { token, bytes: saved.bytes, expiresAt };
    } catch (thrown) {
      await ctx.storage
        .delete(uploadKey(token))
        .catch((err) => ctx.log.warn({ err }, 'upload left for clean-up'));
      throw thrown;
    }
  });
}

/** Records one upload of an account after the other, so that concurrent ones cannot fill the last place twice. */
async function record(ctx: Context, accountId: string, token: string, saved: SavedFile): Promise<Date> {
  const { accounts, uploads } = schema;
  const expiresAt = new Date(Date.now() + UPLOAD_HOURS * 3_600_000);
  await ctx.db.transaction(async (tx) => {
    await keepOpen(tx, accountId);
    await tx.select().from(accounts).where(eq(accounts.id, accountId)).for('no key update');
    await assertRoom(ctx, tx, accountId, { uploads: 0, bytes: saved.bytes });
    await tx.insert(uploads).values({ token, accountId, ...saved, expiresAt });
  });
  return expiresAt;
}

/**
 * Checks that one more upload is within the account's limits.
 * @param more uploads besides it that are arriving, and the bytes of all of them
 */
async function assertRoom(
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

function tooLarge(): OperationError {
  return new OperationError('bad_request', `body: must be at most ${UPLOAD_BYTES_MAX} bytes.`);
}
