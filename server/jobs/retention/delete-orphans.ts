import { and, inArray, isNull } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';

/** An object is stored before its row is written; no request and no attempt takes this long in between. */
const ORPHAN_AGE_MS = 6 * 3_600_000;
const BATCH = 500;

/**
 * Deletes objects without a job: left by processes that died between storing and recording.
 * @returns how many
 */
export async function deleteOrphans(ctx: Context, now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - ORPHAN_AGE_MS);
  let deleted = 0;
  for (const prefix of ['inputs/', 'outputs/']) {
    for await (const keys of inBatches(ctx.storage.list(prefix, before))) {
      const known = await knownAmong(ctx, keys);
      for (const key of keys.filter((key) => !known.has(key))) {
        await ctx.storage.delete(key);
        deleted += 1;
      }
    }
  }
  return deleted;
}

async function knownAmong({ db }: Context, keys: string[]): Promise<Set<string>> {
  const { files } = schema;
  const rows = await db
    .select({ key: files.key })
    .from(files)
    .where(and(inArray(files.key, keys), isNull(files.deletedAt)));
  return new Set(rows.map(({ key }) => key));
}

async function* inBatches(keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const key of keys) {
    batch.push(key);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
