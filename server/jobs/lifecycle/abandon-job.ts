import type { Context } from '../../context.ts';
import { recordFailedRun } from '../limits/failure-budget.ts';
import { claimJob } from './claim-job.ts';
import { failJob } from './fail-job.ts';

/**
 * Ends a job whose result nobody can receive any more: PROCESSING -> ERROR, without a charge. The claim fences out a
 * running attempt, whose result then belongs to no job, and a waiting one never begins.
 * @param message for the owner
 * @param options.isLeft whether the client itself has left: the run then counts as a failed one, as a cancelled run does
 * @returns false when the job has already ended
 */
export async function abandonJob(
  ctx: Context,
  id: string,
  message: string,
  { isLeft = false }: { readonly isLeft?: boolean } = {},
): Promise<boolean> {
  for (;;) {
    const attempt = await claimJob(ctx.db, id);
    if (!attempt) return false;
    // A runner may have claimed it again in between.
    if (!(await failJob(ctx, attempt, { status: 'ERROR', message, code: 'timeout' }))) continue;
    if (isLeft) await recordFailedRun(ctx, attempt.accountId, attempt.runSeconds);
    return true;
  }
}
