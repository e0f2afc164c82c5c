import { and, inArray } from 'drizzle-orm';
import { schema } from '../../base/db.ts';
import type { Context } from '../../context.ts';
import { abandonJob } from './abandon-job.ts';
import { DEADLINE_EXCEEDED, isOverdue } from './deadline.ts';

const STEP = 200;

/**
 * Ends jobs beyond their deadline in ERROR, without a charge, whoever should have: until then they hold their price.
 * @returns how many
 */
export async function endOverdueJobs(ctx: Context): Promise<number> {
  const { jobs } = schema;
  let ended = 0;
  for (;;) {
    const overdue = await ctx.db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(inArray(jobs.status, ['QUEUED', 'PROCESSING']), isOverdue()))
      .limit(STEP);
    for (const { id } of overdue) if (await abandonJob(ctx, id, DEADLINE_EXCEEDED)) ended += 1;
    if (overdue.length < STEP) return ended;
  }
}
