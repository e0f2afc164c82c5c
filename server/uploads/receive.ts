import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { and, count, eq, gt, sql } from 'drizzle-orm';
import { OperationError } from '../../models/errors.ts';
import type { Context } from '../context.ts';
import { type Executor, schema } from '../db.ts';
import { inIncomingFolder } from '../incoming.ts';
import { type SavedFile, saveStream } from '../save-stream.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_HOURS, WAITING_MAX } from './terms.ts';
import { uploadKey } from './url.ts';

export interface Incoming {
  readonly accountId: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** What the sender says it will send; 0 when it does not say. */
  readonly declaredBytes: number;
}

export interface Received {
  readonly token: string;
  readonly bytes: number;
  readonly expiresAt: Date;
}

/**
 * Streams a file into storage, to wait there for one request of its account. The object is stored before its row: what
 * a process leaves that dies in between belongs to nobody and goes with the other orphans.
 * @throws OperationError `bad_request` when the body is empty or larger than any operation takes; `too_many_requests`
 *   when too much waits for this account already
 */
export async function receiveUpload(ctx: Context, incoming: Incoming): Promise<Received> {
  if (incoming.declaredBytes > UPLOAD_BYTES_MAX) throw tooLarge();
  await assertRoom(ctx.db, incoming.accountId, incoming.declaredBytes);
  return await inIncomingFolder(ctx.env, async (directory) => {
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

/** One upload of an account after the other, so that those that end together cannot fill the last place twice. */
async function record(ctx: Context, accountId: string, token: string, saved: SavedFile): Promise<Date> {
  const { accounts, uploads } = schema;
  const expiresAt = new Date(Date.now() + UPLOAD_HOURS * 3_600_000);
  await ctx.db.transaction(async (tx) => {
    await tx.select().from(accounts).where(eq(accounts.id, accountId)).for('no key update');
    await assertRoom(tx, accountId, saved.bytes);
    await tx.insert(uploads).values({ token, accountId, ...saved, expiresAt });
  });
  return expiresAt;
}

async function assertRoom(db: Executor, accountId: string, bytes: number): Promise<void> {
  const { uploads } = schema;
  const [waiting] = await db
    .select({ uploads: count(), bytes: sql`coalesce(sum(${uploads.bytes}), 0)`.mapWith(Number) })
    .from(uploads)
    .where(and(eq(uploads.accountId, accountId), gt(uploads.expiresAt, sql`clock_timestamp()`)));
  if (!waiting || (waiting.uploads < WAITING_MAX.uploads && waiting.bytes + bytes <= WAITING_MAX.bytes))
    return;
  throw new OperationError(
    'too_many_requests',
    `${waiting.uploads} uploads with ${waiting.bytes} bytes wait for this account, and at most ${WAITING_MAX.uploads} with ${WAITING_MAX.bytes} bytes may. Use them, or wait until they expire, ${UPLOAD_HOURS} hour after they came.`,
  );
}

function tooLarge(): OperationError {
  return new OperationError('bad_request', `body: must be at most ${UPLOAD_BYTES_MAX} bytes.`);
}
