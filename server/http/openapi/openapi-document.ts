import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { batchId, batchPath, batchSchema } from '../../../models/operation/batch.ts';
import type { Operation } from '../../../models/operation/define-operation.ts';
import type { ErrorCode } from '../../../models/operation/error-table.ts';
import { withoutGplFormats } from '../../../models/operation/gpl-formats.ts';
import { jobViewSchema } from '../../../models/operation/job-view.ts';
import { httpUrl } from '../../../models/operation/params.ts';
import { requestSchema } from '../../../models/operation/request.ts';
import type { Operations } from '../../context.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from '../../uploads/index.ts';
import { isDirectOnly } from '../submit/respond-with-outcome.ts';
import { ACCOUNT_PATHS } from './account-paths.ts';
import { engineListSchema } from './engine-schemas.ts';
import { describeProblems, describeResponse, describeSecurity } from './openapi-parts.ts';
import { completePaths } from './response-headers.ts';
import { TAGS } from './tags.ts';
import { UPLOAD_PATHS } from './upload-paths.ts';
import { WEBHOOKS } from './webhook-paths.ts';

const usd = z.string().meta({ example: '5.00' });
const acceptedSchema = z
  .object({ request_id: z.string(), status: z.literal('QUEUED'), polling_url: z.string() })
  .meta({ id: 'Accepted' });
const walletSchema = z
  .object({ balance_usd: usd, held_usd: usd, available_usd: usd })
  .meta({ id: 'Wallet', description: 'Decimal strings in US dollars; available is balance less held.' });

const uploadSchema = z
  .object({
    upload_url: z.string().meta({ description: 'URL for any input field of a request.' }),
    bytes: z.int(),
    expires_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: 'Upload' });

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
const RESULT_HEADERS = { request_id: z.string(), engine: z.string(), warnings: z.array(z.string()) };
const CACHED = {
  cached: z.boolean().meta({
    description:
      'Whether an earlier request’s result is returned, at no charge. Cache-Control: no-cache requests a new run.',
  }),
};

function operationPaths(operation: Operation): ZodOpenApiPathsObject {
  const { id, path, title, summary } = operation;
  const single = { operationId: id, tags: [TAGS.operations.name], summary: title, description: summary };
  const mayWait = operation.mayWait && !isDirectOnly(operation);
  const post = { ...single, ...billable(operation, requestSchema(operation), { mayWait }) };
  const responses = { ...describeFinalResponse(operation), ...post.responses };
  if (!operation.batch) return { [path]: { post: { ...post, responses } } };
  const batch = {
    operationId: batchId(id),
    tags: [TAGS.batches.name],
    summary: `${title}, in batches`,
    description:
      'Each item is a request of its own: output.items of the job holds the results or errors in order. Only successes are charged, and cached results are free.',
    ...billable(operation, batchSchema(operation)),
  };
  return { [path]: { post: { ...post, responses } }, [batchPath(operation)]: { post: batch } };
}

function billable(operation: Operation, body: z.ZodObject, { mayWait = false } = {}) {
  const { authentication, errorOverrides } = operation;
  const isDirect = isDirectOnly(operation);
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

const FIXED_PATHS: ZodOpenApiPathsObject = {
  '/v2/requests/status/{request_id}': {
    get: {
      operationId: 'getRequestStatus',
      tags: [TAGS.jobs.name],
      description: 'Poll it every 5 to 10 seconds until the job has ended.',
      summary: 'State of a job',
      security: describeSecurity('either'),
      requestParams: {
        path: z.object({
          request_id: z.string().meta({ description: '<model_id>_<unique suffix>, as the 202 has it.' }),
        }),
      },
      responses: {
        '200': describeResponse('The job.', jobViewSchema),
        ...describeProblems(['unauthorized', 'not_found', 'too_many_requests']),
      },
    },
  },
  '/uploads': {
    post: {
      operationId: 'createUpload',
      tags: [TAGS.uploads.name],
      summary: 'File for a later input',
      description: `Accepts a file of at most ${UPLOAD_BYTES_MAX / 1e6} MB, as the body itself: not as a form. Its URL works in one request of the same account within ${UPLOAD_HOURS} hour; a rejected request does not consume it.`,
      security: describeSecurity('either'),
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
      },
      responses: {
        '201': describeResponse('The file is stored.', uploadSchema),
        ...describeProblems([
          'bad_request',
          'body_too_large',
          'unauthorized',
          'insufficient_balance',
          'too_many_requests',
        ]),
      },
    },
  },
  '/v2/engines': {
    get: {
      operationId: 'listEngines',
      tags: [TAGS.service.name],
      summary: 'Engines and categories of this installation',
      description:
        'Each engine that a request may name, and each category of moderation, with whether this installation has it.',
      security: [],
      responses: {
        '200': describeResponse('The engines.', engineListSchema),
        ...describeProblems(['too_many_requests']),
      },
    },
  },
  '/v2/wallet': {
    get: {
      operationId: 'getWallet',
      tags: [TAGS.account.name],
      description: 'Amounts of the key’s account, those held by its unfinished jobs included.',
      summary: 'Balance of the wallet',
      security: describeSecurity('either'),
      responses: {
        '200': describeResponse('The wallet of the key’s account.', walletSchema),
        ...describeProblems(['unauthorized', 'too_many_requests']),
      },
    },
  },
  '/health': {
    get: {
      operationId: 'getHealth',
      tags: [TAGS.service.name],
      description: 'For load balancers: 200 once the database responds and the store accepts objects.',
      summary: 'Whether the service accepts jobs',
      security: [],
      responses: {
        '200': describeResponse('The service accepts jobs.', z.object({ status: z.literal('ok') })),
        ...describeProblems(['too_many_requests', 'unavailable']),
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'getOpenApi',
      tags: [TAGS.service.name],
      description: 'OpenAPI 3.1 of all routes for programs.',
      summary: 'This document',
      security: [],
      responses: {
        '200': describeResponse('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })),
        ...describeProblems(['too_many_requests']),
      },
    },
  },
};

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
    paths: completePaths(Object.assign({}, ...paths, FIXED_PATHS, ACCOUNT_PATHS, UPLOAD_PATHS)),
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
