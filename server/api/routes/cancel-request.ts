import { cancelJob, findJob, getJob } from '../../jobs/index.ts';
import { assertMayChange, nameJob } from '../job-access.ts';
import { jobViewSchema } from '../job-view-schema.ts';
import { describeProblems, describeResponse, JOB_ID, problemSchema } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';

/** Cancels a job, and responds with its end. */
export const cancelRequest = defineRoute({
  method: 'DELETE',
  path: '/v2/requests/{request_id}',
  permission: 'jobs.change',
  isForTokens: true,
  action: 'jobs.cancel',
  docs: {
    operationId: 'cancelRequest',
    tag: 'jobs',
    summary: 'Cancel a request',
    description:
      'Ends a queued or running request: FAILED with the error "canceled". Its hold is released, and its run stops within seconds. The time that the run took counts like that of a failed one.',
    requestParams: JOB_ID,
    responses: {
      '200': describeResponse('The canceled job.', jobViewSchema),
      ...describeProblems(['unauthorized', 'forbidden', 'not_found', 'too_many_requests']),
      '409': describeResponse('The request has already ended.', problemSchema),
    },
  },
  async handle({ ctx, actor, segment: id }) {
    const { accountId } = actor;
    const named = nameJob(actor, id);
    // 1. Authorize: the key may use the operation.
    const job = await findJob(ctx.db, named);
    if (job) assertMayChange(ctx, actor, job);
    // 2. Cancel.
    await cancelJob(ctx, named);
    ctx.log.info({ requestId: id, accountId }, 'job canceled');
    // 3. Respond.
    return jsonResponse(200, await getJob(ctx, named));
  },
});
