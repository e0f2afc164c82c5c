import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { batchId, batchPath, batchSchema } from '../../models/batch.ts';
import { jobViewSchema } from '../../models/job-view.ts';
import type { Operation } from '../../models/operation.ts';
import { httpUrl } from '../../models/params.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { requestSchema } from '../../models/request.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from '../uploads/index.ts';

const usd = z.string().meta({ example: '5.00' });
const problemSchema = z
  .object({
    error: z.string().meta({ description: 'The short title of the fault.', example: 'Bad Request' }),
    message: z.string().meta({ description: 'Names the field and what is allowed.' }),
  })
  .meta({ id: 'Problem' });
const acceptedSchema = z
  .object({ request_id: z.string(), status: z.literal('QUEUED'), polling_url: z.string() })
  .meta({ id: 'Accepted' });
const walletSchema = z
  .object({ balance_usd: usd, held_usd: usd, available_usd: usd })
  .meta({ id: 'Wallet', description: 'Decimal strings in US dollars; available is balance less held.' });

const uploadSchema = z
  .object({
    upload_url: z.string().meta({ description: 'To be given wherever a request takes an input URL.' }),
    bytes: z.int(),
    expires_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: 'Upload' });

const PROBLEMS = {
  400: 'A field is missing, unknown, of the wrong type or out of range, or the input cannot be fetched or used.',
  401: 'The key is missing, unknown, expired or revoked.',
  402: 'The wallet or the key’s monthly cap does not cover the price.',
  403: 'The key may not run this operation.',
  404: 'There is nothing here for this key.',
  409: 'The first request with this Idempotency-Key is still running.',
  422: 'This Idempotency-Key was used for another request, or the input turned out to be damaged.',
  429: 'Too many requests with this key, or too many uploads that wait; Retry-After says how long to wait.',
  500: 'A fault on our side; nothing was charged.',
  503: 'The service cannot take jobs now; Retry-After says how long to wait.',
} as const;

const answer = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

function problems(...statuses: (keyof typeof PROBLEMS)[]) {
  return Object.fromEntries(
    statuses.map((status) => [String(status), answer(PROBLEMS[status], problemSchema)]),
  );
}

function security(authentication: Operation['authentication'] | 'either') {
  const both = [{ subscriptionKey: [] }, { bearer: [] }];
  return { 'subscription-key': both.slice(0, 1), bearer: both.slice(1), either: both }[authentication];
}

const ACCEPTED = {
  '202': answer('Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook.', acceptedSchema),
};
const BILLABLE_PROBLEMS = problems(400, 401, 402, 403, 409, 422, 429, 500, 503);
/** What stands behind the result itself in an answer. */
const BESIDE_RESULT = {
  request_id: z.string(),
  engine: z.string(),
  warnings: z.array(z.string()),
  cached: z.boolean().meta({
    description:
      'Whether it is the result of an earlier request; nothing is charged then. Cache-Control: no-cache asks for a new one.',
  }),
};

function operationPaths(operation: Operation): ZodOpenApiPathsObject {
  const { id, path, title, summary } = operation;
  const single = { operationId: id, summary: title, description: summary };
  const post = { ...single, ...billable(operation, requestSchema(operation)) };
  const responses = { ...resultAnswers(operation), ...post.responses };
  if (!operation.batch) return { [path]: { post: { ...post, responses } } };
  const batch = {
    operationId: batchId(id),
    summary: `${title}, many at once`,
    description:
      'Each item is a request of its own: output.items of the job holds its result or its error in order, and only successes that no earlier result stands for are charged.',
    ...billable(operation, batchSchema(operation)),
  };
  return { [path]: { post: { ...post, responses } }, [batchPath(operation)]: { post: batch } };
}

function billable({ authentication }: Operation, body: z.ZodObject) {
  return {
    security: security(authentication),
    requestParams: {
      header: z.object({
        'Cache-Control': z.string().optional(),
        'Idempotency-Key': z.string().min(1).max(255).optional(),
        'X-Webhook-URL': httpUrl(
          'Receives the job once it has ended, signed by Standard Webhooks.',
        ).optional(),
      }),
    },
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { ...ACCEPTED, ...BILLABLE_PROBLEMS },
  } satisfies Omit<ZodOpenApiOperationObject, 'operationId'>;
}

/** Of an operation that answers with its result: what a request that waits for its job may get. */
function resultAnswers({ result }: Operation): ZodOpenApiOperationObject['responses'] {
  if (!result) return {};
  const { id, ...meta } = result.meta() ?? {};
  const schema = result.extend(BESIDE_RESULT).meta({ ...meta, ...(id && { id: `${id}Answer` }) });
  return { '200': answer('The job has ended in time: its result.', schema) };
}

const FIXED_PATHS: ZodOpenApiPathsObject = {
  '/v2/requests/status/{request_id}': {
    get: {
      operationId: 'getRequestStatus',
      summary: 'The state of a job',
      security: security('either'),
      requestParams: { path: z.object({ request_id: z.string() }) },
      responses: { '200': answer('The job.', jobViewSchema), ...problems(401, 404, 429) },
    },
  },
  '/uploads': {
    post: {
      operationId: 'createUpload',
      summary: 'A file to be used as an input',
      description: `Takes a file of at most ${UPLOAD_BYTES_MAX} bytes. Its URL is good for one request of the same account within ${UPLOAD_HOURS} hour; a refused request does not use it up.`,
      security: security('either'),
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
      },
      responses: { '201': answer('The file is there.', uploadSchema), ...problems(400, 401, 429, 500) },
    },
  },
  '/v2/wallet': {
    get: {
      operationId: 'getWallet',
      summary: 'What the wallet holds',
      security: security('either'),
      responses: { '200': answer('The wallet of the key’s account.', walletSchema), ...problems(401, 429) },
    },
  },
  '/health': {
    get: {
      operationId: 'getHealth',
      summary: 'Whether jobs can be taken',
      security: [],
      responses: {
        '200': answer('Jobs can be taken.', z.object({ status: z.literal('ok') })),
        ...problems(503),
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
 * OpenAPI 3.1 of the whole interface that programs may rely on, from the schemas that check the requests. What only the
 * studio's pages or an operator ask for is not in it.
 */
export function openApiDocument(publicUrl: string): object {
  const operations = Object.values(OPERATIONS).map(operationPaths);
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Darkroom',
      version: '1.0.0',
      description: 'Image, audio and video processing as prepaid jobs.',
    },
    servers: [{ url: `${publicUrl}/api` }],
    paths: Object.assign({}, ...operations, FIXED_PATHS),
    components: {
      securitySchemes: {
        subscriptionKey: { type: 'apiKey', in: 'header', name: 'Ocp-Apim-Subscription-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  });
}
