import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { findModel, isBatchId } from '../../../models/core/operation/batch.ts';
import { isEmptyResult } from '../../../models/core/runtime/run-warnings.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { type Writes, writeTogether } from '../../base/database/queries.ts';
import {
  mailAlerts,
  refundAccountSpending,
  refundSpending,
  settleAccountSpending,
} from '../../money/spending/index.ts';
import { release } from '../../money/wallet/index.ts';
import type { Attempt, JobRow } from '../queries/job-row.ts';
import { getOutput, listItems, type Output } from '../queries/list-outputs.ts';
import { type Claim, claimJob } from './claim-job.ts';
import { isBeforeDeadline, OVERDUE } from './deadline.ts';
import { resultExpiry } from './expiry.ts';
import { createFinalizers, type Finalizers, finalizing, selectGivenFiles } from './finalize-job.ts';
import { type Failure, type JobResult, resultColumns } from './job-result.ts';
import { isCompletedBy, type StoredDelivery } from './output-deliveries.ts';
import { isNewestAttempt } from './transitions.ts';

interface EndOptions {
  /** Final state of the deliveries to the client's bucket; absent where it is recorded already. */
  readonly outputDeliveries?: readonly StoredDelivery[];
}

/**
 * Moves PROCESSING -> COMPLETED: results, charge and webhook in one transaction. May be repeated after a lost
 * response. Beyond the job's deadline it moves to ERROR instead, without a charge.
 * @returns false when a later attempt has fenced this one or the job has ended otherwise: then the result's files
 *   belong to no job
 */
export async function completeJob(
  ctx: Context,
  attempt: Attempt,
  result: JobResult,
  options: EndOptions = {},
): Promise<boolean> {
  const finalizers = await createFinalizers(ctx);
  const { isCompleted, isAlerted } = await ctx.db.transaction(async (tx) => {
    const completion = await writeCompletion(ctx, tx, attempt, result, finalizers, options);
    if (completion) return { isCompleted: true, ...completion };
    if (await isCompletedBy(tx, attempt)) return { isCompleted: true, isAlerted: false };
    // Only an overdue job is still this attempt's.
    await writeFailure(tx, attempt, OVERDUE, finalizers);
    return { isCompleted: false, isAlerted: false };
  });
  if (isAlerted)
    await mailAlerts(ctx).catch((err) => ctx.log.warn({ err }, 'spending alerts are mailed later'));
  return isCompleted;
}

/**
 * Completes a job that is submitted in the same transaction, since its result is known: it needs no run.
 * @throws Error when the job is not this transaction's
 */
export async function completeSubmittedJob(
  ctx: Context,
  tx: Tx,
  id: string,
  result: JobResult,
  finalizers: Finalizers,
): Promise<void> {
  const attempt = await claimJob(tx, id);
  const completion = attempt && (await writeCompletion(ctx, tx, attempt, result, finalizers));
  if (!completion) throw new Error(`the job ${id} could not be completed`);
}

/** @returns undefined when the attempt is fenced, or the job has ended or is overdue: then nothing has changed */
async function writeCompletion(
  ctx: Context,
  tx: Tx,
  attempt: Attempt,
  result: JobResult,
  finalizers: Finalizers,
  options: EndOptions = {},
): Promise<{ readonly isAlerted: boolean } | undefined> {
  const [job] = await tx
    .update(schema.jobs)
    .set({
      status: 'COMPLETED',
      progress: 1,
      charged:
        result.charge === undefined
          ? isEmptyResult(result.warnings)
            ? 0n
            : sql`${schema.jobs.held}`
          : sql`least(${schema.jobs.held}, ${result.charge}::bigint)`,
      ...resultColumns(result),
      ...options,
      updatedAt: sql`now()`,
      completedAt: sql`now()`,
    })
    .where(and(isNewestAttempt(attempt), isBeforeDeadline()))
    .returning({ ...getTableColumns(schema.jobs), given: selectGivenFiles() });
  if (!job) return undefined;
  const { given, ...ended } = job;
  const outputs = await storeOutputs(ctx, tx, ended, result);
  const together = finalizing(tx, ended, finalizers, { given, outputs });
  // Last: all jobs of the account wait for these rows, and longest where this process is cut off before the commit.
  return { isAlerted: await settleHold(ctx, tx, ended, together) };
}

/**
 * Moves PROCESSING -> FAILED or ERROR: releases the hold, refunds the key's spending and queues the webhook in one
 * transaction.
 * @returns false when a later attempt has fenced this one or the job has ended: then nothing has changed
 */
export async function failJob(
  ctx: Context,
  attempt: Attempt,
  failure: Failure,
  options: EndOptions = {},
): Promise<boolean> {
  const finalizers = await createFinalizers(ctx);
  return await ctx.db.transaction((tx) => writeFailure(tx, attempt, failure, finalizers, options));
}

/**
 * Moves QUEUED or PROCESSING -> FAILED or ERROR, on behalf of none of its attempts: fences out a running one and ends
 * the job in one transaction.
 * @returns the job as it was; undefined when it has already ended
 */
export async function stopJob(ctx: Context, id: string, failure: Failure): Promise<Claim | undefined> {
  const finalizers = await createFinalizers(ctx);
  return await ctx.db.transaction(async (tx) => {
    // The states of the table lead to an end through PROCESSING alone.
    const attempt = await claimJob(tx, id);
    if (attempt) await writeFailure(tx, attempt, failure, finalizers);
    return attempt;
  });
}

async function writeFailure(
  tx: Tx,
  attempt: Attempt,
  { status, message, code, field }: Failure,
  finalizers: Finalizers,
  options: EndOptions = {},
): Promise<boolean> {
  const [job] = await tx
    .update(schema.jobs)
    .set({
      status,
      error: status === 'ERROR' ? `processing_failed: ${message}` : message,
      errorCode: code ?? null,
      errorField: field ?? null,
      ...options,
      updatedAt: sql`now()`,
      completedAt: sql`now()`,
    })
    .where(isNewestAttempt(attempt))
    .returning();
  if (!job) return false;
  await writeTogether(tx, finalizing(tx, job, finalizers));
  if (job.held > 0n) {
    const { accountId, keyId, tokenId, held: amount, createdAt: at } = job;
    if (keyId) await refundSpending(tx, { keyId, tokenId, amount, at });
    await refundAccountSpending(tx, { accountId, amount, at });
    await release(tx, { reference: job.id });
  }
  return true;
}

/**
 * Captures the charge and releases the rest.
 * @param together done behind the locks
 * @returns whether the account is to be alerted of its spending once the transaction has committed
 */
async function settleHold(
  ctx: Context,
  tx: Tx,
  { id, accountId, operationId, keyId, tokenId, held, charged, createdAt }: JobRow,
  together: Writes,
): Promise<boolean> {
  if (held === 0n) {
    await writeTogether(tx, together);
    return false;
  }
  if (keyId && charged < held)
    await refundSpending(tx, { keyId, tokenId, amount: held - charged, at: createdAt });
  // A batch counts for its operation.
  const category = findModel(getOperations(ctx), operationId)?.operation.id ?? operationId;
  const order = charged > 0n ? { reference: id, amount: charged, category } : undefined;
  const settlement = { accountId, held, charged, at: createdAt, ...(order && { order }) };
  const isAlerted = await settleAccountSpending(tx, settlement, together);
  if (!order) await release(tx, { reference: id });
  return isAlerted;
}

/**
 * Marks files as results. Their lifetime starts now, or ends where the client alone keeps them.
 * @returns the outputs, in order
 */
async function storeOutputs(
  ctx: Context,
  tx: Tx,
  job: JobRow,
  { files: outputs }: JobResult,
): Promise<readonly Output[]> {
  const { id, isStored, resultTtlHours } = job;
  const { files } = schema;
  const kept = {
    jobId: id,
    role: 'output' as const,
    expiresAt: isStored ? resultExpiry(ctx.env, resultTtlHours ?? undefined) : sql`now()`,
  };
  const rows = outputs.map((file, position) => ({ ...file, ...kept, position }));
  const isOutput = and(eq(files.jobId, id), eq(files.role, kept.role));
  const stored =
    rows.length > 0
      ? await tx.insert(files).values(rows).returning()
      : await tx.update(files).set(kept).where(isOutput).returning();
  if (isBatchId(job.operationId)) return await listItems(tx, job);
  return stored.sort((a, b) => a.position - b.position).map(getOutput);
}
