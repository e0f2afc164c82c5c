import { type Db, schema } from '../../../server/base/database/db.ts';

/** Makes the results so far unknown to later requests, as for an account that has sent none. */
export async function forgetResults(db: Db): Promise<void> {
  await db.update(schema.jobs).set({ cacheKey: null });
  await db.update(schema.batchItems).set({ cacheKey: null });
}
