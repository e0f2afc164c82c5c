import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Executor, schema } from '../../base/database/db.ts';
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
