import { z } from 'zod';
import { batchId, findModel } from '../../../models/core/operation/batch.ts';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { JOB_STATUSES, type JobStatus } from '../../../models/core/operation/job.ts';
import { LABEL_FILTERS, splitMetadataFilters } from '../../../models/core/operation/job-labels.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { getOperations, type Operations } from '../../base/context/context.ts';
import { timeCursor } from '../../base/database/cursor.ts';
import { isRecent, SINCE } from '../../base/periods.ts';
import { createJobRenderer, listJobs } from '../../jobs/index.ts';
import { jobViewSchema } from '../openapi/job-view-schema.ts';
import { describeProblems, describeResponse } from '../openapi/openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { parseQuery } from '../transport/read-request.ts';

const moment = z.iso.datetime({ offset: true }).refine(isRecent, SINCE);
const PAGE_MAX = 100;

const isStatuses = (names: string[]): names is JobStatus[] =>
  names.every((name) => JOB_STATUSES.some((status) => status === name));

/** Query of the list of requests. */
export const requestQuerySchema = z.strictObject({
  status: z
    .string()
    .max(100)
    .transform((text) => text.split(','))
    .refine(isStatuses, `must be some of ${JOB_STATUSES.join(', ')}, separated by commas`)
    .optional()
    .meta({ description: 'States, separated by commas. Every state without.', example: 'QUEUED,PROCESSING' }),
  operation: z
    .string()
    .max(1000)
    .transform((text) => text.split(','))
    .optional()
    .meta({ description: 'Values of model_id, separated by commas. Every one without.', example: 'upscale' }),
  ...LABEL_FILTERS,
  from: moment.optional().meta({ description: 'Earliest created_at, included.' }),
  to: moment.optional().meta({ description: 'Latest created_at, excluded.' }),
  cursor: z.string().max(300).optional().meta({ description: 'next_cursor of the page before.' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_MAX)
    .default(25)
    .meta({ description: `Requests on a page, 1 to ${PAGE_MAX}.` }),
});

const requestListSchema = z
  .object({
    requests: z
      .array(jobViewSchema.omit({ output: true, receipt: true }).meta({ id: 'JobSummary' }))
      .meta({ description: 'Newest first, without their output: the status of each has it.' }),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page.' }),
  })
  .meta({ id: 'RequestList' });

/** A page of the account's requests, newest first, without their output. */
export const listRequests = defineRoute({
  method: 'GET',
  path: '/v2/requests',
  audience: 'programs',
  authentication: 'either',
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
        from: getDate(from),
        to: getDate(to),
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

function getDate(moment: string | undefined): Date | undefined {
  return moment === undefined ? undefined : new Date(moment);
}
