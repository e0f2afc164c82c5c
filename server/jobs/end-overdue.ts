import { and, inArray } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { schema } from '../db.ts';
import { abandonJob } from './abandon.ts';
import { isOverdue, OUT_OF_TIME } from './deadline.ts';

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
    for (const { id } of overdue) if (await abandonJob(ctx, id, OUT_OF_TIME)) ended += 1;
    if (overdue.length < STEP) return ended;
  }
}
