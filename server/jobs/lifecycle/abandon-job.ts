import type { Context } from '../../context.ts';
import { claimJob } from './claim-job.ts';
import { failJob } from './fail-job.ts';

/**
 * Ends a job whose result nobody can receive any more: PROCESSING -> ERROR, without a charge. The claim fences out a
 * running attempt, whose result then belongs to no job, and a waiting one never begins.
 * @param message for the owner
 * @returns false when the job has already ended
 */
export async function abandonJob(ctx: Context, id: string, message: string): Promise<boolean> {
  for (;;) {
    const attempt = await claimJob(ctx.db, id);
    if (!attempt) return false;
    // A runner may have claimed it again in between.
    if (await failJob(ctx, attempt, { status: 'ERROR', message, code: 'timeout' })) return true;
  }
}
