import type { Context } from '../../base/context/context.ts';
import { recordFailedJob } from '../limits/failure-budget.ts';
import { deleteEndedFiles } from '../retention/delete-expired-files.ts';
import { claimJob } from './claim-job.ts';
import { type Failure, failJob } from './fail-job.ts';

/**
 * Ends a job that must not go on, such as one whose result nobody can receive any more, without a charge. The claim
 * fences out a running attempt, whose result then belongs to no job, and a waiting one never begins.
 * @param options.isLeft whether the client itself has left: the run then counts as a failed one, as a cancelled run
 * does
 * @returns false when the job has already ended
 */
export async function abandonJob(
  ctx: Context,
  id: string,
  failure: Failure,
  { isLeft = false }: { readonly isLeft?: boolean } = {},
): Promise<boolean> {
  for (;;) {
    const attempt = await claimJob(ctx.db, id);
    if (!attempt) return false;
    // A runner may have claimed it again in between.
    if (!(await failJob(ctx, attempt, failure))) continue;
    await deleteEndedFiles(ctx, id);
    if (isLeft) await recordFailedJob(ctx, attempt);
    return true;
  }
}
