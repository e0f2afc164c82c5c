import { and, eq } from 'drizzle-orm';
import { OperationError } from '../../models/errors.ts';
import { isTerminal } from '../../models/job.ts';
import type { JobView } from '../../models/job-view.ts';
import type { Context } from '../context.ts';
import { schema } from '../db.ts';
import { abandonJob } from './abandon.ts';
import { isOverdue, OUT_OF_TIME } from './deadline.ts';
import type { JobRow } from './job-row.ts';
import { outputsOf } from './outputs.ts';
import { jobViewer } from './view.ts';

/**
 * Returns one job of an account. Ends it first where it is overdue, so that it no longer holds its price.
 * @throws OperationError `not_found` when there is none of that id, or it is another account's
 */
export async function getJob(
  ctx: Context,
  { accountId, id }: { accountId: string; id: string },
): Promise<JobView> {
  const [show, found] = await Promise.all([jobViewer(ctx), find(ctx, accountId, id)]);
  const isLate = found?.isOverdue === true && !isTerminal(found.job.status);
  if (isLate) await abandonJob(ctx, id, OUT_OF_TIME);
  const { job } = (isLate ? await find(ctx, accountId, id) : found) ?? {};
  if (!job) throw new OperationError('not_found', `request_id: there is no request "${id}" of this account.`);
  return show(job, await outputsOf(ctx.db, job));
}

async function find(
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
