import { and, eq } from 'drizzle-orm';
import { OperationError } from '../../models/errors.ts';
import type { JobView } from '../../models/job-view.ts';
import type { Context } from '../context.ts';
import { schema } from '../db.ts';
import { outputsOf } from './outputs.ts';
import { jobView, resultUrls } from './view.ts';

/**
 * One job of an account.
 * @throws OperationError `not_found` when there is none of that id, or it is another account's
 */
export async function getJob(
  ctx: Context,
  { accountId, id }: { accountId: string; id: string },
): Promise<JobView> {
  const { jobs } = schema;
  const [urlOf, [job]] = await Promise.all([
    resultUrls(ctx),
    ctx.db
      .select()
      .from(jobs)
      .where(and(eq(jobs.id, id), eq(jobs.accountId, accountId))),
  ]);
  if (!job) throw new OperationError('not_found', `request_id: there is no request "${id}" of this account`);
  return jobView(job, await outputsOf(ctx.db, job), urlOf);
}
