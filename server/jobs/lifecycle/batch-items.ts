import { asc, eq } from 'drizzle-orm';
import { type BatchOutcome, duplicateOutcome } from '../../../models/operation/batch.ts';
import { type Db, type Executor, schema } from '../../base/db.ts';
import type { Attempt, StoredFile } from '../queries/job-row.ts';
import { pendingExpiry } from '../retention/expiry.ts';
import { isNewestAttempt } from './fence.ts';

/** Outcome of a batch item. */
export interface SettledItem {
  readonly position: number;
  readonly outcome: BatchOutcome;
  /** Key of a success's file. */
  readonly fileKey?: string;
  /** Key under which {@link findCached} finds the result. */
  readonly cacheKey?: Buffer;
}

/** Outcome of a batch item that an attempt has run. */
export interface DoneItem extends Omit<SettledItem, 'fileKey'> {
  readonly file?: StoredFile;
  /** Positions of the items that repeat this one. */
  readonly duplicates?: readonly number[];
}

/**
 * Records the outcome of an item and its duplicates, with its file, so that no later attempt repeats it. May be
 * repeated after a lost response.
 * @returns false when a later attempt has fenced this one: then nothing has changed, and the file belongs to no job
 */
export async function settleItem(
  db: Db,
  attempt: Attempt,
  { file, duplicates = [], ...item }: DoneItem,
): Promise<boolean> {
  const { jobs, files } = schema;
  return await db.transaction(async (tx) => {
    // Until this commits nobody can claim the job for another attempt.
    const [current] = await tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(isNewestAttempt(attempt))
      .for('share');
    if (!current) return false;
    if (file) {
      const row = { ...file, jobId: attempt.id, role: 'output' as const, position: item.position };
      await tx
        .insert(files)
        .values({ ...row, expiresAt: pendingExpiry() })
        .onConflictDoNothing();
    }
    await insertItems(
      tx,
      attempt.id,
      withDuplicates({ ...item, ...(file && { fileKey: file.key }) }, duplicates),
    );
    return true;
  });
}

/**
 * Lists a settled item and those that repeat it, which share its file. Only the item itself serves as a cached result.
 */
export function withDuplicates(item: SettledItem, duplicates: readonly number[]): SettledItem[] {
  const { cacheKey: _, ...shared } = item;
  const outcome = duplicateOutcome(item.outcome, item.position);
  return [item, ...duplicates.map((position) => ({ ...shared, position, outcome }))];
}

export async function insertItems(tx: Executor, jobId: string, items: readonly SettledItem[]): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map((item) => ({ ...item, jobId }));
  await tx.insert(schema.batchItems).values(rows).onConflictDoNothing();
}

/** Lists the settled items of a batch so far, in order. */
export async function listSettledItems(
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
