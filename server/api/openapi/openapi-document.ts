import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { withoutGplFormats } from '../../../models/media/video/gpl-formats.ts';
import { batchId, batchPath, batchSchema } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { isDirectOnly } from '../../../models/core/operation/direct-response.ts';
import type { ErrorCode } from '../../../models/core/operation/error-table.ts';
import { engineLicenceSchema, jobViewSchema } from '../../../models/core/operation/job-view.ts';
import { httpUrl } from '../../../models/core/operation/params.ts';
import { requestSchema } from '../../../models/core/operation/request.ts';
import type { Operations } from '../../base/context/context.ts';
import { ACCOUNT_PATHS } from './account-paths.ts';
import { describeProblems, describeResponse, describeSecurity } from './openapi-parts.ts';
import { completePaths } from './response-headers.ts';
import { SERVICE_PATHS } from './service-paths.ts';
import { TAGS } from './tags.ts';
import { UPLOAD_PATHS } from './upload-paths.ts';
import { WEBHOOKS } from './webhook-paths.ts';
import { WORKER_PATHS } from './worker-paths.ts';

const acceptedSchema = z
  .object({ request_id: z.string(), status: z.literal('QUEUED'), polling_url: z.string() })
  .meta({ id: 'Accepted' });

const PREFER = z.string().meta({
  description: 'respond-async asks for the polling URL at once, without waiting for the job.',
  example: 'respond-async',
});

const ACCEPTED = {
  '202': describeResponse(
    'Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook.',
    acceptedSchema,
  ),
};
const BILLABLE_FAULTS: readonly ErrorCode[] = [
  ...([
    'bad_request',
    'unfetchable',
    'unsupported',
    'too_large',
    'model_not_found',
    'body_too_large',
  ] as const),
  'unauthorized',
  ...(['insufficient_balance', 'forbidden', 'conflict', 'unprocessable', 'too_many_requests'] as const),
  ...(['internal', 'unavailable', 'engine_unavailable', 'category_unavailable'] as const),
];
/** Members that follow the result itself in a response. */
const RESULT_HEADERS = {
  request_id: z.string(),
  engine: z.string(),
  engine_licence: engineLicenceSchema,
  warnings: z.array(z.string()),
};
const CACHED = {
  cached: z.boolean().meta({
    description:
      'Whether an earlier request’s result is returned, at no charge. Cache-Control: no-cache requests a new run.',
  }),
};

function operationPaths(operation: Operation): ZodOpenApiPathsObject {
  const { id, path, title, summary } = operation;
  const ended = operation.deprecation && { deprecated: true };
  const single = {
    operationId: id,
    tags: [TAGS.operations.name],
    summary: title,
    description: summary,
    ...ended,
  };
  const mayWait = operation.mayWait && !isDirectOnly(operation);
  const post = { ...single, ...billable(operation, requestSchema(operation), { mayWait }) };
  const responses = { ...describeFinalResponse(operation), ...post.responses };
  if (!operation.batch) return { [path]: { post: { ...post, responses } } };
  const batch = {
    operationId: batchId(id),
    tags: [TAGS.batches.name],
    ...ended,
    summary: `${title}, in batches`,
    description:
      'Each item is a request of its own: output.items of the job holds the results or errors in order. Only successes are charged, and cached results are free.',
    ...billable(operation, batchSchema(operation), { isDirect: false }),
  };
  return { [path]: { post: { ...post, responses } }, [batchPath(operation)]: { post: batch } };
}

function billable(
  operation: Operation,
  body: z.ZodObject,
  { mayWait = false, isDirect = isDirectOnly(operation) } = {},
) {
  const { authentication, errorOverrides } = operation;
  const webhook = httpUrl('Receives the job once it has ended, signed by Standard Webhooks.');
  return {
    security: describeSecurity(authentication),
    requestParams: {
      header: z.object({
        'Cache-Control': z.string().optional(),
        'Idempotency-Key': z.string().min(1).max(255).optional(),
        ...(mayWait && { Prefer: PREFER.optional() }),
        ...(!isDirect && { 'X-Webhook-URL': webhook.optional() }),
      }),
    },
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: isDirect
      ? describeProblems([...BILLABLE_FAULTS, 'timeout'], errorOverrides)
      : { ...ACCEPTED, ...describeProblems(BILLABLE_FAULTS, errorOverrides) },
  } satisfies Omit<ZodOpenApiOperationObject, 'operationId'>;
}

/** Describes the final responses of a request that waits for its job: the operation's own response, or the job. */
function describeFinalResponse({
  response,
  mayWait,
  cacheHours,
}: Operation): ZodOpenApiOperationObject['responses'] {
  if (!response)
    return mayWait ? { '200': describeResponse('The job has ended in time.', jobViewSchema) } : {};
  const { id, ...meta } = response.schema.meta() ?? {};
  const beside = { ...RESULT_HEADERS, ...(cacheHours !== undefined && CACHED) };
  const schema = response.schema.extend(beside).meta({ ...meta, ...(id && { id: `${id}Answer` }) });
  return { '200': describeResponse('Result of a job that ended in time.', schema) };
}

/**
 * Builds the OpenAPI 3.1 document of the public API from the schemas that check the requests. Routes for the studio's
 * pages or for operators are not in it.
 * @param options.gplEncoders whether formats that need GPL encoders are available
 */
export function openApiDocument(
  publicUrl: string,
  operations: Operations,
  { gplEncoders = true }: { gplEncoders?: boolean } = {},
): object {
  const paths = Object.values(operations).map((operation) =>
    operationPaths(gplEncoders ? operation : { ...operation, params: withoutGplFormats(operation.params) }),
  );
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Darkroom',
      version: '1.0.0',
      description:
        'Image, audio and video processing as prepaid jobs. Every error has a code of one table: see the schema ErrorCode.',
      contact: { name: 'Guides', url: `${publicUrl}/docs` },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: serverUrl(publicUrl), description: 'This installation.' }],
    tags: Object.values(TAGS),
    paths: completePaths(
      Object.assign({}, ...paths, SERVICE_PATHS, ACCOUNT_PATHS, UPLOAD_PATHS, WORKER_PATHS),
    ),
    webhooks: WEBHOOKS,
    components: {
      securitySchemes: {
        subscriptionKey: { type: 'apiKey', in: 'header', name: 'Ocp-Apim-Subscription-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  });
}

/**
 * Returns the URL of the API: relative on an address that only this machine knows, since whoever reads the document
 * there may know the machine by another.
 */
function serverUrl(publicUrl: string): string {
  return /^https?:\/\/localhost(:|\/|$)/.test(publicUrl) ? '/api' : `${publicUrl}/api`;
}
