import { and, eq, sql } from 'drizzle-orm';
import { findModel } from '../../../models/core/operation/batch.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { type Context, getOperations } from '../../base/context/context.ts';
import { refundSpending } from '../../identity/keys/index.ts';
import { mailAlerts, settleAccountSpending } from '../../money/spending/index.ts';
import { capture, release } from '../../money/wallet/index.ts';
import type { Attempt, JobRow } from '../queries/job-row.ts';
import { resultExpiry } from '../retention/expiry.ts';
import { isBeforeDeadline, OVERDUE } from './deadline.ts';
import { failJob } from './fail-job.ts';
import { isNewestAttempt } from './fence.ts';
import { createFinalizers, finalizeJob } from './finalize-job.ts';
import { type JobResult, resultColumns } from './job-result.ts';
import { isCompletedBy } from './output-deliveries.ts';

/**
 * Moves PROCESSING -> COMPLETED: results, charge and webhook in one transaction. May be repeated after a lost
 * response. Beyond the job's deadline it moves to ERROR instead, without a charge.
 * @returns false when a later attempt has fenced this one or the job has ended otherwise: then the result's files
 *   belong to no job
 */
export async function completeJob(ctx: Context, attempt: Attempt, result: JobResult): Promise<boolean> {
  const { jobs } = schema;
  const finalizers = await createFinalizers(ctx);
  let isAlerted = false;
  const isCompleted = await ctx.db.transaction(async (tx) => {
    const [job] = await tx
      .update(jobs)
      .set({
        status: 'COMPLETED',
        progress: 1,
        charged: result.charge ?? sql`${jobs.held}`,
        ...resultColumns(result),
        updatedAt: sql`now()`,
        completedAt: sql`now()`,
      })
      .where(and(isNewestAttempt(attempt), isBeforeDeadline()))
      .returning();
    if (!job) return await isCompletedBy(tx, attempt);
    [isAlerted] = await Promise.all([settleHold(ctx, tx, job), storeOutputs(ctx, tx, job, result)]);
    await finalizeJob(tx, job, finalizers);
    return true;
  });
  // Only an overdue job is still this attempt's.
  if (!isCompleted) await failJob(ctx, attempt, OVERDUE);
  if (isAlerted)
    await mailAlerts(ctx).catch((err) => ctx.log.warn({ err }, 'spending alerts are mailed later'));
  return isCompleted;
}

/**
 * Captures the charge and releases the rest. Locks in the order of a submission: key, account, wallet.
 * @returns whether the account is to be alerted of its spending once the transaction has committed
 */
async function settleHold(
  ctx: Context,
  tx: Tx,
  { id, accountId, operationId, keyId, held, charged, createdAt }: JobRow,
): Promise<boolean> {
  if (held === 0n) return false;
  if (keyId && charged < held) await refundSpending(tx, { keyId, amount: held - charged, at: createdAt });
  const isAlerted = await settleAccountSpending(tx, { accountId, held, charged, at: createdAt });
  // A batch counts for its operation.
  const category = findModel(getOperations(ctx), operationId)?.operation.id ?? operationId;
  await (charged > 0n
    ? capture(tx, { reference: id, amount: charged, category })
    : release(tx, { reference: id }));
  return isAlerted;
}

/** Marks files as results. Their lifetime starts now, or ends where the client alone keeps them. */
async function storeOutputs(
  ctx: Context,
  tx: Tx,
  { id, isStored }: JobRow,
  { files: outputs }: JobResult,
): Promise<void> {
  const { files } = schema;
  const kept = {
    jobId: id,
    role: 'output' as const,
    expiresAt: isStored ? resultExpiry(ctx.env) : sql`now()`,
  };
  const rows = outputs.map((file, position) => ({ ...file, ...kept, position }));
  if (rows.length > 0) await tx.insert(files).values(rows);
  else
    await tx
      .update(files)
      .set(kept)
      .where(and(eq(files.jobId, id), eq(files.role, kept.role)));
}
