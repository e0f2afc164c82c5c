import { asc, eq } from 'drizzle-orm';
import type { BatchOutcome } from '../../models/batch.ts';
import { type Db, type Executor, schema } from '../db.ts';
import { isCurrent } from './fence.ts';
import type { Attempt, StoredFile } from './job-row.ts';
import { unfinishedExpiry } from './terms.ts';

/** What became of an item of a batch. */
export interface SettledItem {
  readonly position: number;
  readonly outcome: BatchOutcome;
  /** Of a success. */
  readonly fileKey?: string;
  /** Under which {@link findCached} finds the result. */
  readonly cacheKey?: Buffer;
}

/** What became of an item that an attempt has carried out. */
export interface DoneItem extends Omit<SettledItem, 'fileKey'> {
  readonly file?: StoredFile;
}

/**
 * Notes what became of an item, with its file, so that no later attempt does it again. May be repeated after a lost
 * answer.
 * @returns false when the attempt has been overtaken: then nothing has changed, and the file belongs to no job
 */
export async function settleItem(db: Db, attempt: Attempt, { file, ...item }: DoneItem): Promise<boolean> {
  const { jobs, files } = schema;
  return await db.transaction(async (tx) => {
    // Until this is committed nobody can claim the job for another attempt.
    const [current] = await tx.select({ id: jobs.id }).from(jobs).where(isCurrent(attempt)).for('share');
    if (!current) return false;
    if (file) {
      const row = { ...file, jobId: attempt.id, role: 'output' as const, position: item.position };
      await tx
        .insert(files)
        .values({ ...row, expiresAt: unfinishedExpiry() })
        .onConflictDoNothing();
    }
    await insertItems(tx, attempt.id, [{ ...item, ...(file && { fileKey: file.key }) }]);
    return true;
  });
}

export async function insertItems(tx: Executor, jobId: string, items: readonly SettledItem[]): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map((item) => ({ ...item, jobId }));
  await tx.insert(schema.batchItems).values(rows).onConflictDoNothing();
}

/** What is known of the items of a batch so far, in order. */
export async function settledItems(
  db: Executor,
  jobId: string,
): Promise<readonly Pick<SettledItem, 'position' | 'outcome'>[]> {
  const { batchItems } = schema;
  const rows = await db
    .select({ position: batchItems.position, outcome: batchItems.outcome })
    .from(batchItems)
    .where(eq(batchItems.jobId, jobId))
    .orderBy(asc(batchItems.position));
  return rows.map(({ position, outcome }) => ({ position, outcome: outcome as BatchOutcome }));
}
