import { and, eq, lte, not, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { ATTEMPTS_MAX } from '../../../models/core/operation/job.ts';
import type { Context } from '../../base/context.ts';
import { schema } from '../../base/database/db.ts';
import { isEntryTaken, isEntryUnleased, selectWorkedSeconds } from '../../base/queue/index.ts';
import { describeLongWait, isOverdue, LEFT_TOO_OFTEN, OVERDUE } from './deadline.ts';
import type { Failure } from './job-result.ts';
import { abandonJob } from './stop-job.ts';
import { RUN_DAYS } from './storage-quota.ts';

const STEP = 200;

/**
 * Ends jobs in ERROR, without a charge, that nothing else has ended: those beyond their deadline, those that wait and
 * have waited for more than JOB_DEADLINE_HOURS, those that machines of their account have left in the last
 * attempt, and those that such a machine keeps for days. Until then they hold their price.
 * @returns how many
 */
export async function endOverdueJobs(ctx: Context): Promise<number> {
  let ended = 0;
  for (;;) {
    const overdue = await listOverdue(ctx);
    for (const { id, failure } of overdue) if (await abandonJob(ctx, id, failure)) ended += 1;
    if (overdue.length < STEP) return ended;
  }
}

interface OverdueJob {
  readonly id: string;
  readonly failure: Failure;
}

/**
 * Lists some of the jobs to end. Each kind has an index, whose order is asked for: the planner expects to find many,
 * and would otherwise read all jobs from the start.
 */
async function listOverdue(ctx: Context): Promise<OverdueJob[]> {
  const { jobs } = schema;
  // In words of SQL: a prepared statement that has the states as its values uses no index of these states alone.
  const isUnfinished = sql`${jobs.status} in ('QUEUED', 'PROCESSING')`;
  const hours = sql`${ctx.env.JOB_DEADLINE_HOURS}::float8 * interval '1 hour'`;
  const worked = sql`${selectWorkedSeconds(jobs.id)} * interval '1 second'`;
  // The first condition follows from the second, and has an index.
  const isOld = sql`${jobs.createdAt} < now() - ${hours} and ${jobs.createdAt} < now() - ${hours} - ${worked}`;
  const isOwn = eq(jobs.runOn, 'own');
  // A machine of the account could keep its job, and the files with it, forever.
  const isKept = sql`${jobs.createdAt} < now() - ${hours} and ${jobs.createdAt} < now() - ${RUN_DAYS}::int * interval '1 day'`;
  const list = async (
    condition: SQL | undefined,
    order: readonly AnyPgColumn[],
    describe: (job: ListedJob) => Failure,
  ) => (await listJobs(ctx, condition, order)).map((job) => ({ id: job.id, failure: describe(job) }));
  const byAge = [jobs.status, jobs.createdAt];
  const found = await Promise.all([
    list(and(isUnfinished, lte(jobs.deadlineAt, sql`now()`)), [jobs.deadlineAt], () => OVERDUE),
    list(and(isUnfinished, isOld, not(isEntryTaken(jobs.id))), byAge, (job) =>
      job.isLate ? OVERDUE : describeLongWait(job),
    ),
    list(and(isOwn, isLeft()), [], () => LEFT_TOO_OFTEN),
    list(and(isUnfinished, isKept, isOwn), byAge, () => OVERDUE),
  ]);
  return found.flat();
}

/** Condition of a job for machines of its account that was the last one's to try, and that it has let go of. */
function isLeft(): SQL | undefined {
  const { jobs } = schema;
  return and(
    // In words of SQL, as above.
    sql`${jobs.status} = 'PROCESSING'`,
    sql`${jobs.attempt} - ${jobs.uncountedAttempts} >= ${ATTEMPTS_MAX}::int`,
    isEntryUnleased(jobs.id),
  );
}

type ListedJob = Awaited<ReturnType<typeof listJobs>>[number];

async function listJobs({ db }: Context, condition: SQL | undefined, order: readonly AnyPgColumn[]) {
  const { jobs } = schema;
  return await db
    .select({ id: jobs.id, runOn: jobs.runOn, isLate: isOverdue() })
    .from(jobs)
    .where(condition)
    .orderBy(...order)
    .limit(STEP);
}
