import { schema, type Tx } from '../../base/database/db.ts';
import { isUsable, type UploadReference } from './find-upload.ts';
import { unusableUpload } from './limits.ts';

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
