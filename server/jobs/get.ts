import { and, asc, eq } from 'drizzle-orm';
import { OperationError } from '../../models/errors.ts';
import type { JobView } from '../../models/job-view.ts';
import type { Context } from '../context.ts';
import { schema } from '../db.ts';
import { jobView, resultUrls } from './view.ts';

/**
 * One job of an account.
 * @throws OperationError `not_found` when there is none of that id, or it is another account's
 */
export async function getJob(
  ctx: Context,
  { accountId, id }: { accountId: string; id: string },
): Promise<JobView> {
  const { jobs, files } = schema;
  const [urlOf, rows] = await Promise.all([
    resultUrls(ctx),
    ctx.db
      .select({ job: jobs, output: files })
      .from(jobs)
      .leftJoin(files, and(eq(files.jobId, jobs.id), eq(files.role, 'output')))
      .where(and(eq(jobs.id, id), eq(jobs.accountId, accountId)))
      .orderBy(asc(files.position)),
  ]);
  const [first] = rows;
  if (!first)
    throw new OperationError('not_found', `request_id: there is no request "${id}" of this account`);
  return jobView(
    first.job,
    rows.flatMap(({ output }) => output ?? []),
    urlOf,
  );
}
