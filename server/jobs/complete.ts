import { and, eq, sql } from 'drizzle-orm';
import type { MicroUsd } from '../../models/money.ts';
import type { Context } from '../context.ts';
import { schema, type Tx } from '../db.ts';
import { refundSpending } from '../keys/index.ts';
import { capture, release } from '../wallet/index.ts';
import { announceEnd } from './announce-end.ts';
import { isCurrent } from './fence.ts';
import type { Attempt, FileRow, JobRow, StoredFile } from './job-row.ts';
import { resultUrls } from './view.ts';

const HOUR_MS = 3_600_000;

export interface JobResult {
  /** In the order in which the user sees them, or each with a place of its own. */
  readonly files: readonly (StoredFile & { readonly position?: number })[];
  /** What of the hold is taken; all of it when absent. */
  readonly charge?: MicroUsd;
  readonly engine: string;
  readonly warnings: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
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
    const [outputs] = await Promise.all([insertOutputs(ctx, tx, attempt, result), settle(tx, job)]);
    await announceEnd(tx, job, outputs, urlOf);
    return true;
  });
}

/** Takes what the job is charged and gives the rest back. Locks in the order of a submission: key, then wallet. */
async function settle(tx: Tx, { id, keyId, held, charged, createdAt }: JobRow): Promise<void> {
  if (held === 0n) return;
  if (keyId && charged < held) await refundSpending(tx, { keyId, amount: held - charged, at: createdAt });
  await (charged > 0n ? capture(tx, { reference: id, amount: charged }) : release(tx, { reference: id }));
}

async function insertOutputs(
  ctx: Context,
  tx: Tx,
  { id }: Attempt,
  { files }: JobResult,
): Promise<FileRow[]> {
  if (files.length === 0) return [];
  const expiresAt = new Date(Date.now() + ctx.env.RESULT_TTL_HOURS * HOUR_MS);
  return await tx
    .insert(schema.files)
    .values(
      files.map((file, position) => ({ position, ...file, jobId: id, role: 'output' as const, expiresAt })),
    )
    .returning();
}

async function isCompletedBy(tx: Tx, { id, attempt }: Attempt): Promise<boolean> {
  const { jobs } = schema;
  const rows = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, 'COMPLETED')));
  return rows.length > 0;
}
