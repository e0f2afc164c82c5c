import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { schema } from '../../base/db.ts';
import type { Context } from '../../context.ts';
import { abandonJob } from './abandon-job.ts';
import { isOverdue, OVERDUE, WAITED_TOO_LONG } from './deadline.ts';

const STEP = 200;

/**
 * Ends jobs in ERROR, without a charge, whoever should have: those beyond their deadline, and those that no runner
 * works on and that have waited for more than JOB_DEADLINE_HOURS. Until then they hold their price.
 * @returns how many
 */
export async function endOverdueJobs(ctx: Context): Promise<number> {
  let ended = 0;
  for (;;) {
    const overdue = await listOverdue(ctx);
    for (const { id, isLate } of overdue) {
      if (await abandonJob(ctx, id, isLate ? OVERDUE : WAITED_TOO_LONG)) ended += 1;
    }
    if (overdue.length < STEP) return ended;
  }
}

async function listOverdue({ db, env }: Context): Promise<{ id: string; isLate: boolean }[]> {
  const { jobs, queueEntries } = schema;
  const workedSeconds = sql`coalesce(${queueEntries.workedSeconds}, 0)`;
  const longest = sql`(${env.JOB_DEADLINE_HOURS}::float8 * 3600 + ${workedSeconds}) * interval '1 second'`;
  const isOld = sql`${jobs.createdAt} < now() - ${longest}`;
  return await db
    .select({ id: jobs.id, isLate: isOverdue() })
    .from(jobs)
    .leftJoin(queueEntries, eq(queueEntries.id, jobs.id))
    .where(
      and(
        inArray(jobs.status, ['QUEUED', 'PROCESSING']),
        or(isOverdue(), and(isOld, isNull(queueEntries.lockedBy))),
      ),
    )
    .limit(STEP);
}
