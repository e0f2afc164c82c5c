import { deleteOutput as deleteJobOutput, findJob } from '../../jobs/index.ts';
import { assertMayChange, nameJob } from '../job-access.ts';
import { describeProblems, describeResponse, JOB_ID, problemSchema } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';

/** Deletes the files of an ended job before they expire. */
export const deleteOutput = defineRoute({
  method: 'DELETE',
  path: '/v2/requests/{request_id}/output',
  permission: 'jobs.change',
  isForTokens: true,
  action: 'jobs.delete-output',
  docs: {
    operationId: 'deleteOutput',
    tag: 'jobs',
    summary: 'Delete the files of a request',
    description:
      'Deletes the files of an ended request: their URLs end, and no later request gets them from the cache. The request stays, with `deleted_at`. May be repeated.',
    requestParams: JOB_ID,
    responses: {
      '204': { description: 'The files are deleted.' },
      ...describeProblems(['unauthorized', 'forbidden', 'not_found', 'too_many_requests']),
      '409': describeResponse('The request has not ended yet.', problemSchema),
    },
  },
  async handle({ ctx, actor, segment: id }) {
    const named = nameJob(actor, id);
    // 1. Authorize: the key may use the operation.
    const job = await findJob(ctx.db, named);
    if (job) assertMayChange(ctx, actor, job);
    // 2. Delete.
    await deleteJobOutput(ctx, named);
    ctx.log.info({ requestId: id, accountId: actor.accountId }, 'result deleted');
    return new Response(null, { status: 204 });
  },
});
