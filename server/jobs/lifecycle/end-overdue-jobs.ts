import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import { schema } from '../../base/database/db.ts';
import type { Context } from '../../context.ts';
import { RUN_DAYS } from '../limits/storage-quota.ts';
import type { JobRow } from '../queries/job-row.ts';
import { abandonJob } from './abandon-job.ts';
import { describeLongWait, isOverdue, OVERDUE } from './deadline.ts';

const STEP = 200;

/**
 * Ends jobs in ERROR, without a charge, whoever should have: those beyond their deadline, and those that no runner
 * works on and that have waited for more than JOB_DEADLINE_HOURS, and those that a machine of the account keeps for
 * days. Until then they hold their price.
 * @returns how many
 */
export async function endOverdueJobs(ctx: Context): Promise<number> {
  let ended = 0;
  for (;;) {
    const overdue = await listOverdue(ctx);
    for (const { id, isLate, ...job } of overdue) {
      if (await abandonJob(ctx, id, isLate ? OVERDUE : describeLongWait(job))) ended += 1;
    }
    if (overdue.length < STEP) return ended;
  }
}

interface OverdueJob extends Pick<JobRow, 'id' | 'runOn'> {
  /** Whether it is beyond a deadline of its own. */
  readonly isLate: boolean;
}

/**
 * Lists some of the jobs to end. Each kind has an index, whose order is asked for: the planner expects to find many, and
 * would otherwise read all jobs from the start.
 */
async function listOverdue({ db, env }: Context): Promise<OverdueJob[]> {
  const { jobs, queueEntries } = schema;
  // In words of SQL: a prepared statement that has the states as its values uses no index of these states alone.
  const isUnfinished = sql`${jobs.status} in ('QUEUED', 'PROCESSING')`;
  const hours = sql`${env.JOB_DEADLINE_HOURS}::float8 * interval '1 hour'`;
  const worked = sql`coalesce(${queueEntries.workedSeconds}, 0) * interval '1 second'`;
  // The first condition follows from the second, and has an index.
  const isOld = sql`${jobs.createdAt} < now() - ${hours} and ${jobs.createdAt} < now() - ${hours} - ${worked}`;
  const job = { id: jobs.id, runOn: jobs.runOn, isLate: isOverdue() };
  // A machine of the account could keep its job, and the files with it, for ever.
  const isKept = sql`${jobs.createdAt} < now() - ${hours} and ${jobs.createdAt} < now() - ${RUN_DAYS}::int * interval '1 day'`;
  const [late, old, kept] = await Promise.all([
    db
      .select(job)
      .from(jobs)
      .where(and(isUnfinished, lte(jobs.deadlineAt, sql`now()`)))
      .orderBy(jobs.deadlineAt)
      .limit(STEP),
    db
      .select(job)
      .from(jobs)
      .leftJoin(queueEntries, eq(queueEntries.id, jobs.id))
      .where(and(isUnfinished, isOld, isNull(queueEntries.lockedBy)))
      .orderBy(jobs.status, jobs.createdAt)
      .limit(STEP),
    db
      .select({ ...job, isLate: sql<boolean>`true` })
      .from(jobs)
      .where(and(isUnfinished, isKept, eq(jobs.runOn, 'own')))
      .orderBy(jobs.status, jobs.createdAt)
      .limit(STEP),
  ]);
  return [...late, ...old, ...kept];
}
