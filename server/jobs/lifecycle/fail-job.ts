import { sql } from 'drizzle-orm';
import type { ErrorCode } from '../../../models/core/operation/errors.ts';
import { schema } from '../../base/database/db.ts';
import type { Context } from '../../base/context/context.ts';
import { refundSpending } from '../../identity/keys/index.ts';
import { refundAccountSpending } from '../../money/spending/index.ts';
import { release } from '../../money/wallet/index.ts';
import type { Attempt } from '../queries/job-row.ts';
import { isNewestAttempt } from './fence.ts';
import { createFinalizers, finalizeJob } from './finalize-job.ts';

/** Failed end of a job: FAILED is the input's fault, a retry gives the same; ERROR is ours. */
export interface Failure {
  readonly status: 'FAILED' | 'ERROR';
  /** Sentence for the user. */
  readonly message: string;
  /** Kind, for programs and for the operator. */
  readonly code?: FailureCode;
  /** Field of the request that the failure is about. */
  readonly field?: string | undefined;
}

/** Kind of a failed end. */
export type FailureCode = ErrorCode;

/**
 * Moves PROCESSING -> FAILED or ERROR: releases the hold, refunds the key's spending and queues the webhook in one
 * transaction. Locks in the order of a submission: key, then wallet.
 * @returns false when a later attempt has fenced this one or the job has ended: then nothing has changed
 */
export async function failJob(
  ctx: Context,
  attempt: Attempt,
  { status, message, code, field }: Failure,
): Promise<boolean> {
  const finalizers = await createFinalizers(ctx);
  return await ctx.db.transaction(async (tx) => {
    const [job] = await tx
      .update(schema.jobs)
      .set({
        status,
        error: status === 'ERROR' ? `processing_failed: ${message}` : message,
        errorCode: code ?? null,
        errorField: field ?? null,
        updatedAt: sql`now()`,
        completedAt: sql`now()`,
      })
      .where(isNewestAttempt(attempt))
      .returning();
    if (!job) return false;
    if (job.held > 0n) {
      if (job.keyId) await refundSpending(tx, { keyId: job.keyId, amount: job.held, at: job.createdAt });
      const { accountId, held: amount, createdAt: at } = job;
      await refundAccountSpending(tx, { accountId, amount, at });
      await release(tx, { reference: job.id });
    }
    await finalizeJob(tx, job, finalizers);
    return true;
  });
}
