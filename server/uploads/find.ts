import { and, eq, gt, sql } from 'drizzle-orm';
import { type Executor, schema } from '../db.ts';
import { notUsable } from './terms.ts';
import { uploadKey } from './url.ts';

/** Name of an upload. An account can reach only its own. */
export interface UploadName {
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

/** Condition that holds only for an unexpired upload of this account. */
export function isUsable({ accountId, token }: UploadName) {
  const { uploads } = schema;
  return and(
    eq(uploads.token, token),
    eq(uploads.accountId, accountId),
    gt(uploads.expiresAt, sql`clock_timestamp()`),
  );
}

/**
 * Finds an upload.
 * @throws OperationError `bad_request` when it is unknown, another account's, used or expired
 */
export async function findUpload(db: Executor, name: UploadName): Promise<Upload> {
  const [upload] = await db.select().from(schema.uploads).where(isUsable(name));
  if (!upload) throw notUsable();
  return { key: uploadKey(upload.token), bytes: upload.bytes, sha256: upload.sha256 };
}
