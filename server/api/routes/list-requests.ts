import { z } from 'zod';
import { batchId, findModel } from '../../../models/core/operation/batch.ts';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { splitMetadataFilters } from '../../../models/core/operation/job-labels.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { getOperations, type Operations } from '../../base/context.ts';
import { timeCursor } from '../../base/database/cursor.ts';
import { createJobRenderer, listJobs } from '../../jobs/index.ts';
import { jobViewSchema } from '../job-view-schema.ts';
import { describeProblems, describeResponse } from '../openapi-parts.ts';
import { requestQuerySchema } from '../request-query.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { nextCursor } from '../transport/query-fields.ts';
import { parseQuery } from '../transport/read-request.ts';

const requestListSchema = z
  .object({
    requests: z
      .array(jobViewSchema.omit({ output: true, receipt: true }).meta({ id: 'JobSummary' }))
      .meta({ description: 'Newest first, without their output: the status of each has it.' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'RequestList' });

/** A page of the account's requests, newest first, without their output. */
export const listRequests = defineRoute({
  method: 'GET',
  path: '/v2/requests',
  permission: 'jobs.see',
  isForTokens: true,
  docs: {
    operationId: 'listRequests',
    tag: 'jobs',
    summary: 'Requests of the account',
    description:
      'Newest first, in pages. Requests are listed while they are kept. A key with operations or a cap sees those that it, or a key that it has replaced, has sent.',
    requestParams: { query: requestQuerySchema },
    responses: {
      '200': describeResponse('A page of requests.', requestListSchema),
      ...describeProblems(['bad_request', 'unauthorized', 'too_many_requests']),
    },
  },
  async handle({ ctx, request, actor }) {
    // 1. Parse.
    const { metadata, others } = splitMetadataFilters(parseQuery(request));
    const query = parseParams(requestQuerySchema, { metadata, ...others });
    // 2. List.
    const { status: statuses, operation: modelIds, reference, from, to, limit } = query;
    assertKnown(getOperations(ctx), modelIds);
    const [show, { jobs, next }] = await Promise.all([
      createJobRenderer(ctx),
      listJobs(ctx.db, {
        accountId: actor.accountId,
        keyIds: actor.visibleKeyIds,
        statuses,
        modelIds,
        reference,
        metadata: query.metadata,
        limit,
        after: timeCursor.unpack(query.cursor),
        from,
        to,
      }),
    ]);
    // 3. Respond.
    const requests = jobs.map((job) => {
      const { output, receipt, ...summary } = show(job, []);
      return summary;
    });
    return jsonResponse(200, { requests, next_cursor: next && timeCursor.pack(next) });
  },
});

/** @throws OperationError `bad_request` for a model that does not exist */
function assertKnown(operations: Operations, modelIds: readonly string[] = []): void {
  if (modelIds.every((id) => findModel(operations, id))) return;
  const known = Object.values(operations).flatMap(({ id, batch }) => (batch ? [id, batchId(id)] : [id]));
  throw fieldError('operation', `must be some of ${known.join(', ')}, separated by commas.`);
}
