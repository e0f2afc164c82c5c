import { parseParams } from '../../models/params.ts';
import type { Context } from '../context.ts';
import { timeCursor } from '../cursor.ts';
import { cancelJob, findJob, getJob, jobViewer, listJobs } from '../jobs/index.ts';
import { type Actor, authorise } from '../keys/index.ts';
import { requestQuerySchema } from './account-schemas.ts';
import { jsonResponse } from './problem.ts';
import { queryOf } from './query-of.ts';

/** Handles GET /v2/requests: a page of the account's requests, newest first, without their output. */
export async function listRequests(ctx: Context, request: Request, actor: Actor): Promise<Response> {
  const query = parseParams(requestQuerySchema, queryOf(request));
  const { status: statuses, operation: modelId, from, to, limit } = query;
  const [show, { jobs, next }] = await Promise.all([
    jobViewer(ctx),
    listJobs(ctx.db, {
      accountId: actor.accountId,
      ...{ statuses, modelId, limit, after: timeCursor.unpack(query.cursor) },
      ...{ from: dateOf(from), to: dateOf(to) },
    }),
  ]);
  const requests = jobs.map((job) => {
    const { output, ...summary } = show(job, []);
    return summary;
  });
  return jsonResponse(200, { requests, next_cursor: next && timeCursor.pack(next) });
}

/**
 * Handles DELETE /v2/requests/<id>: cancels the job, and responds with its end.
 * @throws OperationError `not_found`, `forbidden` when the key lacks the operation, `conflict` when it has ended
 */
export async function cancelRequest(
  ctx: Context,
  _request: Request,
  actor: Actor,
  id: string,
): Promise<Response> {
  const { accountId } = actor;
  const job = await findJob(ctx.db, { accountId, id });
  if (job) authorise(actor, job.operationId);
  await cancelJob(ctx, { accountId, id });
  ctx.log.info({ requestId: id, accountId }, 'job canceled');
  return jsonResponse(200, await getJob(ctx, { accountId, id }));
}

function dateOf(moment: string | undefined): Date | undefined {
  return moment === undefined ? undefined : new Date(moment);
}
