import { and, asc, eq, notLike, sql } from 'drizzle-orm';
import { buildOnce } from '../../../models/core/build-once.ts';
import { batchId, isBatchId } from '../../../models/core/operation/batch.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import type { Context } from '../../base/context.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import type { JobRow } from '../queries/job-row.ts';
import { createJobRenderer } from '../queries/job-view.ts';
import { type JobReference, requestNotFound } from '../queries/list-jobs.ts';
import { getOutput, listItems, type Output } from '../queries/list-outputs.ts';
import { isOverdue, OVERDUE } from './deadline.ts';
import { abandonJob } from './stop-job.ts';

/**
 * A row for each output, or one without: clients ask often, and most jobs have one output. Batches may have hundreds,
 * next to params that are as large: theirs are read separately.
 */
const jobById = buildOnce((db: Executor) => {
  const { jobs, files } = schema;
  const isNamed = and(eq(jobs.id, sql.placeholder('id')), eq(jobs.accountId, sql.placeholder('accountId')));
  const isOutput = and(
    eq(files.jobId, jobs.id),
    eq(files.role, 'output'),
    eq(jobs.status, 'COMPLETED'),
    notLike(jobs.operationId, batchId('%')),
  );
  return db
    .select({ job: jobs, isOverdue: isOverdue(), file: files })
    .from(jobs)
    .leftJoin(files, isOutput)
    .where(isNamed)
    .orderBy(asc(files.position))
    .prepare('job_by_id');
});

/**
 * Returns one job that the caller may see. Ends it first where it is overdue, so that it no longer holds its price.
 * @throws OperationError `not_found` when there is none of that id, or it is not the caller's
 */
export async function getJob(ctx: Context, { accountId, keyIds, id }: JobReference): Promise<JobView> {
  const [show, found] = await Promise.all([createJobRenderer(ctx), findJobById(ctx, accountId, id)]);
  const isSent = keyIds?.some((sender) => sender === found?.job.keyId || sender === found?.job.tokenId);
  if (isSent === false) throw requestNotFound(id);
  const isLate = found?.isOverdue === true && !isTerminal(found.job.status);
  if (isLate) await abandonJob(ctx, id, OVERDUE);
  const { job, outputs } = (isLate ? await findJobById(ctx, accountId, id) : found) ?? {};
  if (!job) throw requestNotFound(id);
  return show(job, isBatchId(job.operationId) ? await listItems(ctx.db, job) : (outputs ?? []));
}

interface FoundJob {
  readonly job: JobRow;
  readonly isOverdue: boolean;
  /** Outputs in order; none of a batch. */
  readonly outputs: readonly Output[];
}

async function findJobById({ db }: Context, accountId: string, id: string): Promise<FoundJob | undefined> {
  const rows = await jobById(db).execute({ id, accountId });
  const [found] = rows;
  const files = rows.flatMap(({ file }) => file ?? []);
  return found && { job: found.job, isOverdue: found.isOverdue, outputs: files.map(getOutput) };
}
