import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context/context.ts';
import { type Executor, schema, type Tx } from '../../base/database/db.ts';
import { unusableUpload } from './limits.ts';
import { uploadKey } from './upload-url.ts';

/** Name of an upload. An account can reach only its own. */
export interface UploadReference {
  readonly accountId: string;
  readonly token: string;
}

/** Upload that no request has used. */
export interface Upload {
  /** Key of its object in storage. */
  readonly key: string;
  readonly bytes: number;
  readonly sha256: Buffer;
}

/** Condition that holds only for a complete, unexpired upload of this account. */
export function isUsable(name: UploadReference) {
  return and(isUnused(name), isNull(schema.uploads.receivedBytes));
}

function isUnused({ accountId, token }: UploadReference) {
  const { uploads } = schema;
  return and(
    eq(uploads.token, token),
    eq(uploads.accountId, accountId),
    gt(uploads.expiresAt, sql`clock_timestamp()`),
  );
}

/**
 * Finds an upload.
 * @throws OperationError `bad_request` when it is unknown, another account's, used, expired or not complete
 */
export async function findUpload(db: Executor, name: UploadReference): Promise<Upload> {
  const [upload] = await db.select().from(schema.uploads).where(isUnused(name));
  if (!upload) throw unusableUpload();
  const { bytes, sha256, receivedBytes } = upload;
  if (!sha256) {
    const message = `this upload is not complete: ${receivedBytes} of ${bytes} bytes have arrived. Send the others first.`;
    throw new OperationError('bad_request', message);
  }
  return { key: uploadKey(upload.token), bytes, sha256 };
}

/**
 * Consumes an upload, in the transaction that makes its object a job's input: of several concurrent requests one
 * succeeds, and after a rollback the upload stays available.
 * @throws OperationError `bad_request` when it is unknown, another account's, used or expired
 */
export async function consumeUpload(tx: Tx, name: UploadReference): Promise<void> {
  const { uploads } = schema;
  const taken = await tx.delete(uploads).where(isUsable(name)).returning({ token: uploads.token });
  if (taken.length === 0) throw unusableUpload();
}

/**
 * Deletes expired unused uploads: the row first, so that no request can use an object that is about to go. Objects
 * that cannot be deleted now become orphans. Waits ten extra minutes, for a request that is just reading the object.
 * @returns how many
 */
export async function deleteExpiredUploads({ db, storage, log }: Context): Promise<number> {
  const { uploads } = schema;
  const expired = await db
    .delete(uploads)
    .where(lt(uploads.expiresAt, sql`now() - interval '10 minutes'`))
    .returning({ token: uploads.token, parts: uploads.parts });
  const keys = expired.flatMap(({ token, parts }) => [uploadKey(token), ...parts]);
  const results = await Promise.allSettled(keys.map((key) => storage.delete(key)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) log.warn({ err: failed.reason }, 'some uploads could not be deleted');
  return expired.length;
}
