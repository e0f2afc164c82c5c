import { and, eq } from 'drizzle-orm';
import { isTerminal } from '../../../models/operation/job.ts';
import type { JobView } from '../../../models/operation/job-view.ts';
import { schema } from '../../base/db.ts';
import type { Context } from '../../context.ts';
import type { JobRow } from '../queries/job-row.ts';
import { createJobRenderer } from '../queries/job-view.ts';
import { requestNotFound } from '../queries/list-jobs.ts';
import { listOutputs } from '../queries/list-outputs.ts';
import { abandonJob } from './abandon-job.ts';
import { isOverdue, OVERDUE } from './deadline.ts';

/**
 * Returns one job of an account. Ends it first where it is overdue, so that it no longer holds its price.
 * @throws OperationError `not_found` when there is none of that id, or it is another account's
 */
export async function getJob(
  ctx: Context,
  { accountId, id }: { accountId: string; id: string },
): Promise<JobView> {
  const [show, found] = await Promise.all([createJobRenderer(ctx), findJobById(ctx, accountId, id)]);
  const isLate = found?.isOverdue === true && !isTerminal(found.job.status);
  if (isLate) await abandonJob(ctx, id, OVERDUE);
  const { job } = (isLate ? await findJobById(ctx, accountId, id) : found) ?? {};
  if (!job) throw requestNotFound(id);
  return show(job, await listOutputs(ctx.db, job));
}

async function findJobById(
  { db }: Context,
  accountId: string,
  id: string,
): Promise<{ job: JobRow; isOverdue: boolean } | undefined> {
  const { jobs } = schema;
  const [found] = await db
    .select({ job: jobs, isOverdue: isOverdue() })
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.accountId, accountId)));
  return found;
}
