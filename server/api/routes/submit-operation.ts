import { z } from 'zod';
import { batchId, batchPath, batchSchema } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { isDirectOnly } from '../../../models/core/operation/direct-response.ts';
import type { ErrorCode } from '../../../models/core/operation/error-table.ts';
import { engineLicenceSchema } from '../../../models/core/operation/job-view.ts';
import { httpUrl } from '../../../models/core/operation/params.ts';
import { requestSchema } from '../../../models/core/operation/request.ts';
import { operationFor } from '../../../models/test-mode/create-test-operation.ts';
import { jobViewSchema } from '../job-view-schema.ts';
import { describeBody, describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute, type Route, type RouteDocs } from '../route.ts';
import { submitOperation } from '../submit/submit-operation.ts';
import { WAIT_SECONDS_MAX } from '../transport/process-limits.ts';
import { annotateRequestLog } from '../transport/request-log.ts';

const acceptedSchema = z
  .object({
    request_id: z.string().meta({ description: 'Names the job in all further requests.' }),
    status: z.literal('QUEUED').meta({ description: 'The job waits for its turn.' }),
    polling_url: z.string().meta({ description: 'URL of the job, to be read until it has ended.' }),
  })
  .meta({ id: 'Accepted' });

const PREFER = z.string().meta({
  description: `wait=<seconds> asks for the ended job in a response of 200, if it ends within that time of at most ${WAIT_SECONDS_MAX} s. respond-async asks for the polling URL at once.`,
  example: 'wait=30',
});

const ACCEPTED = {
  '202': describeResponse(
    'Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook.',
    acceptedSchema,
  ),
};
const JOB_IN_TIME = { '200': describeResponse('The job has ended in time.', jobViewSchema) };
const BILLABLE_FAULTS: readonly ErrorCode[] = [
  ...([
    'bad_request',
    'unfetchable',
    'source_unavailable',
    'unsupported',
    'too_large',
    'model_not_found',
    'body_too_large',
    'unsupported_encoding',
  ] as const),
  'unauthorized',
  ...(['insufficient_balance', 'forbidden', 'conflict', 'unprocessable', 'too_many_requests'] as const),
  ...(['internal', 'unavailable', 'storage_full', 'engine_unavailable', 'category_unavailable'] as const),
];
/** Members that follow the result itself in a response. */
const RESULT_HEADERS = {
  request_id: z.string().meta({ description: 'The job of the request.' }),
  engine: z.string().meta({ description: 'Engine that ran.' }),
  engine_licence: engineLicenceSchema,
  warnings: z.array(z.string()).meta({ description: 'Parts of the request that could not be fulfilled.' }),
};
const CACHED = {
  cached: z.boolean().meta({
    description:
      'Whether an earlier request’s result is returned, at no charge. Cache-Control: no-cache requests a new run.',
  }),
};

/** Defines the routes of an operation: one for a request, and one for a batch where it has batches. */
export function defineOperationRoutes(operation: Operation): Route[] {
  const single = submitRoute(operation, operation.id, operation.path, describeSingle(operation));
  if (!operation.batch) return [single];
  const batch = submitRoute(operation, batchId(operation.id), batchPath(operation), describeBatch(operation));
  return [single, batch];
}

function submitRoute(operation: Operation, modelId: string, path: string, docs: RouteDocs): Route {
  const { authentication, errorOverrides } = operation;
  return defineRoute({
    method: 'POST',
    path,
    authentication,
    permission: 'jobs.change',
    isForTokens: true,
    action: 'jobs.create',
    errorOverrides,
    docs,
    handle({ ctx, request, actor }) {
      annotateRequestLog(request, { operationId: modelId });
      return submitOperation({ ctx, request, actor, operation: operationFor(actor, operation), modelId });
    },
  });
}

function describeSingle(operation: Operation): RouteDocs {
  const { id, title, summary, deprecation } = operation;
  const billable = describeBillable(operation, { isDirect: isDirectOnly(operation) });
  return {
    operationId: id,
    tag: 'operations',
    summary: title,
    description: summary,
    ...(deprecation && { deprecated: true }),
    ...billable,
    requestBody: describeBody(requestSchema(operation)),
    responses: { ...describeFinalResponse(operation), ...billable.responses },
  };
}

function describeBatch(operation: Operation): RouteDocs {
  const { id, title, deprecation } = operation;
  const billable = describeBillable(operation, { isDirect: false });
  return {
    operationId: batchId(id),
    tag: 'batches',
    summary: `${title}, in batches`,
    description:
      'Each item is a separate request: output.items of the job holds the results or errors in order. Only successes are charged, and cached results are free.',
    ...(deprecation && { deprecated: true }),
    ...billable,
    requestBody: describeBody(batchSchema(operation)),
    responses: { ...JOB_IN_TIME, ...billable.responses },
  };
}

function describeBillable({ errorOverrides }: Operation, { isDirect }: { readonly isDirect: boolean }) {
  const webhook = httpUrl('Receives the job once it has ended, signed by Standard Webhooks.');
  return {
    requestParams: {
      header: z.object({
        'Cache-Control': z.string().optional().meta({
          description: 'no-cache asks for a new run where the service has the result of the same request.',
        }),
        'Idempotency-Key': z.string().min(1).max(255).optional().meta({
          description:
            'A name of your own for the request: repeated within 24 hours, it gets the first response.',
        }),
        ...(!isDirect && { Prefer: PREFER.optional(), 'X-Webhook-URL': webhook.optional() }),
      }),
    },
    responses: isDirect
      ? describeProblems([...BILLABLE_FAULTS, 'timeout'], errorOverrides)
      : { ...ACCEPTED, ...describeProblems(BILLABLE_FAULTS, errorOverrides) },
  };
}

/** Describes the final responses of a request that waits for its job: the operation's own response, or the job. */
function describeFinalResponse({ response, cacheHours }: Operation): RouteDocs['responses'] {
  if (!response) return JOB_IN_TIME;
  const { id, ...meta } = response.schema.meta() ?? {};
  const headers = { ...RESULT_HEADERS, ...(cacheHours !== undefined && CACHED) };
  const schema = response.schema.extend(headers).meta({ ...meta, ...(id && { id: `${id}Response` }) });
  return { '200': describeResponse('Result of a job that ended in time.', schema) };
}
