import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context/context.ts';
import { recordFailedJob } from '../limits/failure-budget.ts';
import { findJob, requestNotFound } from '../queries/list-jobs.ts';
import { deleteEndedFiles } from '../retention/delete-expired-files.ts';
import { claimJob } from './claim-job.ts';
import { failJob } from './fail-job.ts';

/** Error of a job that its account has cancelled. */
const CANCELED = 'canceled';

/**
 * Cancels a job: it ends FAILED with the error `canceled`, and its hold is released. The claim fences out a running
 * attempt, which its runner then ends.
 * @throws OperationError `not_found` when the account has no such job, `conflict` when it has ended
 */
export async function cancelJob(
  ctx: Context,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  const job = await findJob(ctx.db, { accountId, id });
  if (!job) throw requestNotFound(id);
  for (;;) {
    const attempt = await claimJob(ctx.db, id);
    if (!attempt)
      throw new OperationError('conflict', `The request "${id}" has already ended.`, { jobId: id });
    // A runner may have claimed it again in between.
    if (!(await failJob(ctx, attempt, { status: 'FAILED', message: CANCELED, code: 'canceled' }))) continue;
    await deleteEndedFiles(ctx, id);
    return await recordFailedJob(ctx, attempt);
  }
}
