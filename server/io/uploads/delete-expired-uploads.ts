import { lt, sql } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';
import { uploadKey } from './upload-url.ts';

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
