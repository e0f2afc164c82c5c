import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { schema } from '../db.ts';
import { refundSpending } from '../keys/index.ts';
import { release } from '../wallet/index.ts';
import { announceEnd } from './announce-end.ts';
import { isCurrent } from './fence.ts';
import type { Attempt } from './job-row.ts';
import { resultUrls } from './view.ts';

/** How a job can end badly: FAILED is the input's fault, another try gives the same; ERROR is ours. */
export interface Failure {
  readonly status: 'FAILED' | 'ERROR';
  /** A sentence for the user. */
  readonly message: string;
}

/**
 * PROCESSING -> FAILED or ERROR: the hold is released, the key's spending given back and the webhook queued in one
 * transaction. Money is locked in the same order as on submission: key, then wallet.
 * @returns false when the attempt has been overtaken or the job has ended: then nothing has changed
 */
export async function failJob(
  ctx: Context,
  attempt: Attempt,
  { status, message }: Failure,
): Promise<boolean> {
  const urlOf = await resultUrls(ctx);
  return await ctx.db.transaction(async (tx) => {
    const [job] = await tx
      .update(schema.jobs)
      .set({
        status,
        error: status === 'ERROR' ? `processing_failed: ${message}` : message,
        updatedAt: sql`now()`,
        completedAt: sql`now()`,
      })
      .where(isCurrent(attempt))
      .returning();
    if (!job) return false;
    if (job.held > 0n) {
      if (job.keyId) await refundSpending(tx, { keyId: job.keyId, amount: job.held, at: job.createdAt });
      await release(tx, { reference: job.id });
    }
    await announceEnd(tx, job, urlOf);
    return true;
  });
}
