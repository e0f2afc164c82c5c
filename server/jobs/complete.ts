import { and, eq, sql } from 'drizzle-orm';
import type { MicroUsd } from '../../models/money.ts';
import type { Context } from '../context.ts';
import { schema, type Tx } from '../db.ts';
import { refundSpending } from '../keys/index.ts';
import { capture, release } from '../wallet/index.ts';
import { announceEnd } from './announce-end.ts';
import { isCurrent } from './fence.ts';
import type { Attempt, JobRow, StoredFile } from './job-row.ts';
import { resultExpiry } from './terms.ts';
import { resultUrls } from './view.ts';

export interface JobResult {
  /** In the order in which the user sees them; none of a batch, whose items have brought theirs already. */
  readonly files: readonly StoredFile[];
  /** What of the hold is taken; all of it when absent. */
  readonly charge?: MicroUsd;
  readonly engine: string;
  readonly warnings: readonly string[];
  readonly details?: Readonly<Record<string, string | number>>;
}

/**
 * PROCESSING -> COMPLETED: results, charge and webhook in one transaction. May be repeated after a lost answer.
 * @returns false when the attempt has been overtaken or the job has ended otherwise: then nothing has changed, and the
 *   result's files belong to no job
 */
export async function completeJob(ctx: Context, attempt: Attempt, result: JobResult): Promise<boolean> {
  const { jobs } = schema;
  const urlOf = await resultUrls(ctx);
  return await ctx.db.transaction(async (tx) => {
    const [job] = await tx
      .update(jobs)
      .set({
        status: 'COMPLETED',
        progress: 1,
        charged: result.charge ?? sql`${jobs.held}`,
        engine: result.engine,
        warnings: [...result.warnings],
        details: result.details ?? null,
        updatedAt: sql`now()`,
        completedAt: sql`now()`,
      })
      .where(isCurrent(attempt))
      .returning();
    if (!job) return await isCompletedBy(tx, attempt);
    await Promise.all([keepOutputs(ctx, tx, attempt, result), settle(tx, job)]);
    await announceEnd(tx, job, urlOf);
    return true;
  });
}

/** Takes what the job is charged and gives the rest back. Locks in the order of a submission: key, then wallet. */
async function settle(tx: Tx, { id, keyId, held, charged, createdAt }: JobRow): Promise<void> {
  if (held === 0n) return;
  if (keyId && charged < held) await refundSpending(tx, { keyId, amount: held - charged, at: createdAt });
  await (charged > 0n ? capture(tx, { reference: id, amount: charged }) : release(tx, { reference: id }));
}

/** From now on they are results, and the time of results begins. */
async function keepOutputs(
  ctx: Context,
  tx: Tx,
  { id }: Attempt,
  { files: outputs }: JobResult,
): Promise<void> {
  const { files } = schema;
  const kept = { jobId: id, role: 'output' as const, expiresAt: resultExpiry(ctx.env) };
  const rows = outputs.map((file, position) => ({ ...file, ...kept, position }));
  if (rows.length > 0) await tx.insert(files).values(rows);
  else
    await tx
      .update(files)
      .set(kept)
      .where(and(eq(files.jobId, id), eq(files.role, kept.role)));
}

async function isCompletedBy(tx: Tx, { id, attempt }: Attempt): Promise<boolean> {
  const { jobs } = schema;
  const rows = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, 'COMPLETED')));
  return rows.length > 0;
}
