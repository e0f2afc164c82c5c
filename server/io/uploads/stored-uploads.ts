import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { cutPage, isOlder, type TimeCursor } from '../../base/database/cursor.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { isSentBy } from '../../base/database/queries.ts';
import { IDEMPOTENCY_HOURS } from '../../base/periods.ts';
import { type UploadRow, unusableUpload } from './limits.ts';
import { readUploadKey, uploadKey } from './upload-url.ts';

const { uploads } = schema;

/** Uploads that are deleted at a time. */
const BATCH = 200;
/** An Idempotency-Key may name an upload until it ends itself: the hash of the bytes is kept for so long. */
const HASH_HOURS = IDEMPOTENCY_HOURS + 1;

/** Uploads that a caller may see: those of its account, or of some of its keys or tokens alone. */
export interface UploadOwner {
  readonly accountId: string;
  /** All when absent. */
  readonly keyIds?: readonly string[] | undefined;
}

/** Name of an upload. */
export interface UploadReference extends UploadOwner {
  readonly token: string;
}

/** Complete upload. */
export interface Upload {
  /** Key of its object in storage. */
  readonly key: string;
  /** Name that its sender gave it. */
  readonly name: string | null;
  readonly bytes: number;
  readonly sha256: Buffer;
}

function isOwn({ accountId, keyIds }: UploadOwner): SQL | undefined {
  return and(eq(uploads.accountId, accountId), isSentBy(uploads, keyIds));
}

function isOpen(reference: UploadReference): SQL | undefined {
  const { token, expiresAt } = uploads;
  return and(eq(token, reference.token), isOwn(reference), gt(expiresAt, sql`clock_timestamp()`));
}

/**
 * Finds an upload.
 * @throws OperationError `bad_request` when it is unknown, another account's or key's, expired or not complete
 */
export async function findUpload(db: Executor, reference: UploadReference): Promise<Upload> {
  const [upload] = await db.select().from(uploads).where(isOpen(reference));
  if (!upload) throw unusableUpload();
  const { bytes, sha256, receivedBytes, name } = upload;
  if (!sha256) {
    const message = `this upload is not complete: ${receivedBytes} of ${bytes} bytes have arrived. Send the others first.`;
    throw new OperationError('bad_request', message);
  }
  return { key: uploadKey(upload.token), name, bytes, sha256 };
}

/** Finds the SHA-256 of complete uploads by their tokens, of those that are gone as well for as long as it is kept. */
export async function findHashes(
  db: Executor,
  owner: UploadOwner,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (tokens.length === 0) return new Map();
  const { token, sha256 } = uploads;
  const rows = await db
    .select({ token, sha256 })
    .from(uploads)
    .where(and(inArray(token, [...tokens]), isOwn(owner)));
  return new Map(rows.flatMap((row) => (row.sha256 ? [[row.token, row.sha256] as const] : [])));
}

/** Lists a page of uploads that have not expired, newest first, complete ones and others. */
export async function listUploads(
  db: Executor,
  {
    limit,
    after,
    ...owner
  }: UploadOwner & { readonly limit: number; readonly after?: TimeCursor | undefined },
): Promise<{ readonly uploads: readonly UploadRow[]; readonly next: TimeCursor | null }> {
  const { token, createdAt, expiresAt } = uploads;
  const rows = await db
    .select()
    .from(uploads)
    .where(and(isOwn(owner), gt(expiresAt, sql`clock_timestamp()`), isOlder({ createdAt, id: token }, after)))
    .orderBy(desc(createdAt), desc(token))
    .limit(limit + 1);
  const { page, next } = cutPage(rows, limit, (row) => row.token);
  return { uploads: page, next };
}

/**
 * Deletes an upload. Jobs that were accepted with it keep their bytes.
 * @throws OperationError `not_found` when it is unknown, another account's or key's, deleted or expired
 */
export async function removeUpload(ctx: Context, reference: UploadReference): Promise<void> {
  if (await expireUploads(ctx, isOpen(reference))) return;
  throw new OperationError('not_found', `There is no upload "${reference.token}".`);
}

/**
 * Expires uploads and deletes their objects. What cannot be deleted now is deleted with the next expired ones.
 * @returns whether there was one
 */
export async function expireUploads(ctx: Context, isMeant: SQL | undefined): Promise<boolean> {
  const expired = await ctx.db.update(uploads).set({ expiresAt: sql`now()` }).where(isMeant).returning();
  await deleteObjects(ctx, expired);
  return expired.length > 0;
}

/**
 * Deletes the objects of expired uploads, after ten extra minutes, for a request that is just reading one. The rows
 * stay for as long as their hashes are kept.
 * @returns the number of uploads whose objects were deleted
 */
export async function deleteExpiredUploads(ctx: Context): Promise<number> {
  const { deletedAt, expiresAt } = uploads;
  let deleted = 0;
  for (;;) {
    const expired = await ctx.db
      .select()
      .from(uploads)
      .where(and(isNull(deletedAt), lt(expiresAt, sql`now() - interval '10 minutes'`)))
      .limit(BATCH);
    const count = await deleteObjects(ctx, expired);
    deleted += count;
    // Failed deletions would be selected again at once.
    if (expired.length < BATCH || count < expired.length) break;
  }
  const isForgotten = lt(expiresAt, sql`now() - ${HASH_HOURS}::int * interval '1 hour'`);
  await ctx.db.delete(uploads).where(and(isNotNull(deletedAt), isForgotten));
  return deleted;
}

/** Deletes the objects of uploads. Never rejects for one. @returns the number of uploads without objects */
async function deleteObjects({ db, storage, log }: Context, expired: readonly UploadRow[]): Promise<number> {
  const results = await Promise.allSettled(
    expired.map(async ({ token, parts }) => {
      await Promise.all([uploadKey(token), ...parts].map((key) => storage.delete(key)));
      return token;
    }),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) log.warn({ err: failed.reason }, 'some uploads could not be deleted');
  const tokens = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (tokens.length > 0) {
    await db.update(uploads).set({ deletedAt: sql`now()`, parts: [] }).where(inArray(uploads.token, tokens));
  }
  return tokens.length;
}

/** Returns those of some keys whose objects belong to uploads, parts included. */
export async function findUploadKeys(db: Executor, keys: readonly string[]): Promise<readonly string[]> {
  const tokens = keys.flatMap((key) => readUploadKey(key) ?? []);
  if (tokens.length === 0) return [];
  const { token, parts } = uploads;
  const rows = await db
    .select({ token, parts })
    .from(uploads)
    .where(and(inArray(token, tokens), isNull(uploads.deletedAt)));
  return rows.flatMap((row) => [uploadKey(row.token), ...row.parts]);
}
