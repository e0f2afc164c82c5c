import { and, eq, sql } from 'drizzle-orm';
import { type Db, type Executor, schema } from '../../base/database/db.ts';
import { isInLane } from '../../base/queue/index.ts';
import type { Attempt, FileRow, StoredFile } from '../queries/job-row.ts';
import { listOutputFiles } from '../queries/list-outputs.ts';
import { ITEM_FILES_MAX } from './batch-items.ts';
import { pendingExpiry } from './expiry.ts';
import { isNewestAttempt } from './transitions.ts';

/** Position of a file among those of its job. */
export interface OutputPosition {
  /** Position of the batch item; 0 for any other job. */
  readonly item: number;
  /** Position among the files of the item, from 0. */
  readonly file: number;
}

/**
 * Outcome of recording a file: the key of the one that it replaces, or why nothing has changed and the file belongs to
 * no job. `fenced`: the run is another attempt's, or its result is on its way. `settled`: its batch item has a result.
 */
type Recorded = { readonly replaced: string | null } | 'fenced' | 'settled';

/**
 * Records a file that an attempt has stored before its result is known. It takes the place of an earlier one, while the
 * run has no result.
 */
export async function recordPartialOutput(
  db: Db,
  attempt: Attempt,
  place: OutputPosition,
  file: StoredFile,
): Promise<Recorded> {
  const { jobs, files, batchItems } = schema;
  const position = place.item * ITEM_FILES_MAX + place.file;
  return await db.transaction(async (tx) => {
    // Until this commits no other transaction can claim the job for another attempt, settle its run, nor end it.
    const [current] = await tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(isNewestAttempt(attempt))
      .for('no key update');
    if (!current || !(await isInLane(tx, attempt.id, 'own'))) return 'fenced';
    const isItem = and(eq(batchItems.jobId, attempt.id), eq(batchItems.position, place.item));
    if ((await tx.$count(batchItems, isItem)) > 0) return 'settled';
    const isReplaced = and(
      eq(files.jobId, attempt.id),
      eq(files.role, 'output'),
      eq(files.position, position),
    );
    const [replaced] = await tx.delete(files).where(isReplaced).returning({ key: files.key });
    const shared = { jobId: attempt.id, role: 'output' as const, position, expiresAt: pendingExpiry() };
    await tx.insert(files).values({ ...file, ...shared });
    return { replaced: replaced?.key ?? null };
  });
}

/** Lists the files that the newest attempt has stored for an item, in order. */
export async function listPartialOutputs(db: Executor, jobId: string, item: number): Promise<FileRow[]> {
  const { position } = schema.files;
  const [first, end] = [item * ITEM_FILES_MAX, (item + 1) * ITEM_FILES_MAX];
  const isOfItem = sql`${position} >= ${first}::int and ${position} < ${end}::int`;
  return await listOutputFiles(db, jobId, isOfItem);
}

/**
 * Forgets the files that earlier attempts have stored without a result; those of settled batch items stay.
 * @returns their keys
 */
export async function dropPartialOutputs(db: Executor, jobId: string): Promise<string[]> {
  const { files, batchItems } = schema;
  const isSettled = sql`exists (select from ${batchItems} where ${batchItems.jobId} = ${jobId}
    and ${files.key} = any(array_prepend(${batchItems.fileKey}, ${batchItems.furtherFileKeys})))`;
  const dropped = await db
    .delete(files)
    .where(and(eq(files.jobId, jobId), eq(files.role, 'output'), sql`not ${isSettled}`))
    .returning({ key: files.key });
  return dropped.map(({ key }) => key);
}
