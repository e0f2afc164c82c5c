import { asc, eq, inArray } from 'drizzle-orm';
import {
  type BatchItem,
  type BatchOutcome,
  duplicateOutcome,
  isCharged,
  priceOfOutcome,
} from '../../../models/core/operation/batch.ts';
import { type Db, type Executor, schema } from '../../base/database/db.ts';
import type { Attempt, StoredFile } from '../queries/job-row.ts';
import { pendingExpiry } from './expiry.ts';
import type { JobResult } from './job-result.ts';
import { isNewestAttempt } from './transitions.ts';

/** Files that one item may have: their positions within the job leave room for so many. */
export const ITEM_FILES_MAX = 100;

/** Outcome of a batch item. */
export interface SettledItem {
  readonly position: number;
  readonly outcome: BatchOutcome;
  /** Keys of a success's files, in order; none where the outcome itself is the result. */
  readonly fileKeys?: readonly string[];
  /** Files of that success which the job's submission records: those of an item that needs no run. */
  readonly files?: readonly StoredFile[];
  /** Key under which {@link findCached} finds the result. */
  readonly cacheKey?: Buffer;
}

/** Outcome of a batch item that an attempt has run. */
export interface DoneItem extends Omit<SettledItem, 'fileKeys' | 'files'> {
  /** In the order in which the user sees them. */
  readonly files: readonly StoredFile[];
  /** Positions of the items that repeat this one. */
  readonly duplicates?: readonly number[];
}

/**
 * Records the outcome of an item and its duplicates, with its files, so that no later attempt repeats it. May be
 * repeated after a lost response.
 * @returns false when a later attempt has fenced this one, or a recorded file has been replaced: then nothing has
 *   changed, and the files belong to no result
 */
export async function settleItem(
  db: Db,
  attempt: Attempt,
  { files: outputs, duplicates = [], ...item }: DoneItem,
): Promise<boolean> {
  const { jobs, files } = schema;
  return await db.transaction(async (tx) => {
    // Until this commits no other transaction can claim the job for another attempt.
    const [current] = await tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(isNewestAttempt(attempt))
      .for('share');
    if (!current) return false;
    const shared = { jobId: attempt.id, role: 'output' as const, expiresAt: pendingExpiry() };
    const first = item.position * ITEM_FILES_MAX;
    const rows = outputs.map((file, at) => ({ ...file, ...shared, position: first + at }));
    const fileKeys = outputs.map(({ key }) => key);
    if (rows.length > 0) {
      const added = await tx.insert(files).values(rows).onConflictDoNothing().returning({ key: files.key });
      // Those that were recorded before may have been replaced since: a result must not name what is gone.
      const areAllRecorded = added.length === rows.length || (await areRecorded(tx, fileKeys));
      if (!areAllRecorded) return false;
    }
    await insertItems(tx, attempt.id, withDuplicates({ ...item, fileKeys }, duplicates));
    return true;
  });
}

async function areRecorded(tx: Executor, keys: readonly string[]): Promise<boolean> {
  const { files } = schema;
  return (await tx.$count(files, inArray(files.key, [...keys]))) === keys.length;
}

/**
 * Lists a settled item and those that repeat it, which share its files. Only the item itself serves as a cached result.
 */
export function withDuplicates(item: SettledItem, duplicates: readonly number[]): SettledItem[] {
  const { cacheKey: _, files: __, ...shared } = item;
  const outcome = duplicateOutcome(item.outcome, item.position);
  return [item, ...duplicates.map((position) => ({ ...shared, position, outcome }))];
}

export async function insertItems(tx: Executor, jobId: string, items: readonly SettledItem[]): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ fileKeys: [fileKey, ...furtherFileKeys] = [], files: _, ...item }) => {
    return { ...item, jobId, fileKey: fileKey ?? null, furtherFileKeys };
  });
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

/**
 * Returns the result of a batch whose items are settled: only those that an attempt has run with success are charged,
 * and of these no empty ones.
 * @param items those that needed a run
 */
export async function summarizeBatch(
  db: Executor,
  jobId: string,
  items: readonly Pick<BatchItem, 'position' | 'price'>[],
): Promise<JobResult> {
  const outcomes = await listSettledItems(db, jobId);
  const successes = outcomes.flatMap(({ position, outcome }) =>
    outcome.status === 'success' ? [{ position, outcome }] : [],
  );
  const paid = new Map(
    successes.flatMap(({ position, outcome }) => (isCharged(outcome) ? [[position, outcome]] : [])),
  );
  const weights = successes.flatMap(({ outcome }) => outcome.weights ?? []);
  return {
    files: [],
    engine: [...new Set(successes.map(({ outcome }) => String(outcome.engine)))].join(', '),
    warnings: [],
    weights: [...new Map(weights.map((each) => [each.sha256, each])).values()],
    charge: items.reduce((sum, { position, price }) => {
      const outcome = paid.get(position);
      return outcome ? sum + priceOfOutcome(outcome, price) : sum;
    }, 0n),
  };
}
