import { splitMetadataFilters } from '../../../models/core/operation/job-labels.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { timeCursor } from '../../base/database/cursor.ts';
import type { Context } from '../../base/context/context.ts';
import { cancelJob, createJobRenderer, findJob, getJob, listJobs } from '../../jobs/index.ts';
import { type Actor, assertPermission } from '../../identity/keys/index.ts';
import { requestQuerySchema } from '../openapi/account-schemas.ts';
import { parseQuery } from '../transport/parse-query.ts';
import { jsonResponse } from '../transport/problem.ts';

/** Handles GET /v2/requests: a page of the account's requests, newest first, without their output. */
export async function listRequests(ctx: Context, request: Request, actor: Actor): Promise<Response> {
  const { metadata, others } = splitMetadataFilters(parseQuery(request));
  const query = parseParams(requestQuerySchema, { metadata, ...others });
  const { status: statuses, operation: modelId, reference, from, to, limit } = query;
  const [show, { jobs, next }] = await Promise.all([
    createJobRenderer(ctx),
    listJobs(ctx.db, {
      accountId: actor.accountId,
      statuses,
      modelId,
      reference,
      metadata: query.metadata,
      limit,
      after: timeCursor.unpack(query.cursor),
      from: dateOf(from),
      to: dateOf(to),
    }),
  ]);
  const requests = jobs.map((job) => {
    const { output, receipt, ...summary } = show(job, []);
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
  if (job) assertPermission(actor, job.operationId);
  await cancelJob(ctx, { accountId, id });
  ctx.log.info({ requestId: id, accountId }, 'job canceled');
  return jsonResponse(200, await getJob(ctx, { accountId, id }));
}

function dateOf(moment: string | undefined): Date | undefined {
  return moment === undefined ? undefined : new Date(moment);
}
