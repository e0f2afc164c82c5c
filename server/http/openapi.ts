import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { batchId, batchPath, batchSchema } from '../../models/batch.ts';
import { withFreeFormats } from '../../models/gpl-formats.ts';
import { jobViewSchema } from '../../models/job-view.ts';
import type { Operation } from '../../models/operation.ts';
import { httpUrl } from '../../models/params.ts';
import { requestSchema } from '../../models/request.ts';
import type { Operations } from '../context.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from '../uploads/index.ts';
import { ACCOUNT_PATHS } from './account-paths.ts';
import type { Fault } from './faults.ts';
import { answer, problems, security } from './openapi-parts.ts';
import { isDirectOnly } from './respond-in-time.ts';
import { UPLOAD_PATHS } from './upload-paths.ts';

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
  '202': answer('Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook.', acceptedSchema),
};
const BILLABLE_FAULTS: readonly Fault[] = [
  ...(['bad_request', 'unfetchable', 'unsupported', 'too_large', 'unauthorized'] as const),
  ...(['insufficient_balance', 'forbidden', 'conflict', 'unprocessable', 'too_many_requests'] as const),
  ...(['internal', 'unavailable'] as const),
];
/** Members that follow the result itself in a response. */
const BESIDE_RESULT = { request_id: z.string(), engine: z.string(), warnings: z.array(z.string()) };
const CACHED = {
  cached: z.boolean().meta({
    description:
      'Whether an earlier request’s result is returned, at no charge. Cache-Control: no-cache requests a new run.',
  }),
};

function operationPaths(operation: Operation): ZodOpenApiPathsObject {
  const { id, path, title, summary } = operation;
  const single = { operationId: id, summary: title, description: summary };
  const mayWait = operation.mayWait && !isDirectOnly(operation);
  const post = { ...single, ...billable(operation, requestSchema(operation), { mayWait }) };
  const responses = { ...finalAnswer(operation), ...post.responses };
  if (!operation.batch) return { [path]: { post: { ...post, responses } } };
  const batch = {
    operationId: batchId(id),
    summary: `${title}, in batches`,
    description:
      'Each item is a request of its own: output.items of the job holds the results or errors in order. Only successes are charged, and cached results are free.',
    ...billable(operation, batchSchema(operation)),
  };
  return { [path]: { post: { ...post, responses } }, [batchPath(operation)]: { post: batch } };
}

function billable(operation: Operation, body: z.ZodObject, { mayWait = false } = {}) {
  const { authentication, faults } = operation;
  const isDirect = isDirectOnly(operation);
  const webhook = httpUrl('Receives the job once it has ended, signed by Standard Webhooks.');
  return {
    security: security(authentication),
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
      ? problems([...BILLABLE_FAULTS, 'timeout'], faults)
      : { ...ACCEPTED, ...problems(BILLABLE_FAULTS, faults) },
  } satisfies Omit<ZodOpenApiOperationObject, 'operationId'>;
}

/** Describes the final responses of a request that waits for its job: the operation's own response, or the job. */
function finalAnswer({ response, mayWait, cacheHours }: Operation): ZodOpenApiOperationObject['responses'] {
  if (!response) return mayWait ? { '200': answer('The job has ended in time.', jobViewSchema) } : {};
  const { id, ...meta } = response.schema.meta() ?? {};
  const beside = { ...BESIDE_RESULT, ...(cacheHours !== undefined && CACHED) };
  const schema = response.schema.extend(beside).meta({ ...meta, ...(id && { id: `${id}Answer` }) });
  return { '200': answer('Result of a job that ended in time.', schema) };
}

const FIXED_PATHS: ZodOpenApiPathsObject = {
  '/v2/requests/status/{request_id}': {
    get: {
      operationId: 'getRequestStatus',
      summary: 'State of a job',
      security: security('either'),
      requestParams: { path: z.object({ request_id: z.string() }) },
      responses: {
        '200': answer('The job.', jobViewSchema),
        ...problems(['unauthorized', 'not_found', 'too_many_requests']),
      },
    },
  },
  '/uploads': {
    post: {
      operationId: 'createUpload',
      summary: 'File for a later input',
      description: `Accepts a file of at most ${UPLOAD_BYTES_MAX / 1e6} MB, as the body itself: not as a form. Its URL works in one request of the same account within ${UPLOAD_HOURS} hour; a rejected request does not consume it.`,
      security: security('either'),
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
      },
      responses: {
        '201': answer('The file is stored.', uploadSchema),
        ...problems(['bad_request', 'unauthorized', 'insufficient_balance', 'too_many_requests', 'internal']),
      },
    },
  },
  '/v2/wallet': {
    get: {
      operationId: 'getWallet',
      summary: 'Balance of the wallet',
      security: security('either'),
      responses: {
        '200': answer('The wallet of the key’s account.', walletSchema),
        ...problems(['unauthorized', 'too_many_requests']),
      },
    },
  },
  '/health': {
    get: {
      operationId: 'getHealth',
      summary: 'Whether the service accepts jobs',
      security: [],
      responses: {
        '200': answer('The service accepts jobs.', z.object({ status: z.literal('ok') })),
        ...problems(['unavailable']),
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'getOpenApi',
      summary: 'This document',
      security: [],
      responses: { '200': answer('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })) },
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
    operationPaths(gplEncoders ? operation : { ...operation, params: withFreeFormats(operation.params) }),
  );
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Darkroom',
      version: '1.0.0',
      description: 'Image, audio and video processing as prepaid jobs.',
    },
    servers: [{ url: `${publicUrl}/api` }],
    paths: Object.assign({}, ...paths, FIXED_PATHS, ACCOUNT_PATHS, UPLOAD_PATHS),
    components: {
      securitySchemes: {
        subscriptionKey: { type: 'apiKey', in: 'header', name: 'Ocp-Apim-Subscription-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  });
}
