import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import type { JobReference } from '../queries/list-jobs.ts';
import { findJob, requestNotFound } from '../queries/list-jobs.ts';
import { deleteEndedFiles } from './delete-files.ts';
import { stopJob } from './end-job.ts';
import { countParts, recordFailures } from './failure-budget.ts';
import type { Failure } from './job-result.ts';

/** Failure of a job that its account has cancelled. */
const CANCELED: Failure = { status: 'FAILED', message: 'canceled', code: 'canceled' };

/**
 * Cancels a job: it ends FAILED with the error `canceled`, and its hold is released. A running attempt is fenced out,
 * and its runner ends it.
 * @throws OperationError `not_found` when the caller may see no such job, `conflict` when it has ended
 */
export async function cancelJob(ctx: Context, named: JobReference): Promise<void> {
  const { id } = named;
  if (!(await findJob(ctx.db, named))) throw requestNotFound(id);
  if (await abandonJob(ctx, id, CANCELED, { isLeft: true })) return;
  throw new OperationError('conflict', `The request "${id}" has already ended.`, { jobId: id });
}

/**
 * Ends a job that must not continue, such as one whose result no client can receive any more, without a charge. A
 * running attempt is fenced out: its result then belongs to no job. A waiting one never begins.
 * @param options.isLeft whether the client itself has left: the run then counts as a failed one
 * @returns false when the job has already ended
 */
export async function abandonJob(
  ctx: Context,
  id: string,
  failure: Failure,
  { isLeft = false }: { readonly isLeft?: boolean } = {},
): Promise<boolean> {
  const stopped = await stopJob(ctx, id, failure);
  if (!stopped) return false;
  await deleteEndedFiles(ctx, id);
  // The time of an account's own machines is its own.
  if (isLeft && stopped.runOn === 'service') {
    await recordFailures(ctx, stopped.accountId, countParts(stopped.runSeconds));
  }
  return true;
}
