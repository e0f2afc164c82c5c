import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { jobViewSchema } from '../../../models/core/operation/job-view.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from '../../io/uploads/index.ts';
import { engineListSchema } from '../engines/engine-schemas.ts';
import { STATUS_WAIT_SECONDS_MAX } from '../limits/limits.ts';
import { RECEIPT_KEYS_PATH } from '../results/list-receipt-keys.ts';
import { describeProblems, describeResponse, describeSecurity } from './openapi-parts.ts';
import { TAGS } from './tags.ts';

const usd = z.string().meta({ example: '5.00' });
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

const keySetSchema = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        kid: z.string(),
        use: z.literal('sig'),
        alg: z.literal('EdDSA'),
        x: z.string(),
      }),
    ),
  })
  .meta({ id: 'ReceiptKeys' });
/** Errors of a path without a key that reads the database. */
const OUTAGES = ['internal', 'unavailable'] as const;

/** Paths that every service has: states, uploads, wallet, and what the installation offers. */
export const SERVICE_PATHS: ZodOpenApiPathsObject = {
  '/v2/requests/status/{request_id}': {
    get: {
      operationId: 'getRequestStatus',
      tags: [TAGS.jobs.name],
      description: `Poll it every 5 to 10 seconds until the job has ended. \`Prefer: wait=10\` holds the response until then, for at most so many seconds and at most ${STATUS_WAIT_SECONDS_MAX}. Whoever waits in more requests than the account may have gets the state at once.`,
      summary: 'State of a job',
      security: describeSecurity('either'),
      requestParams: {
        path: z.object({
          request_id: z.string().meta({ description: '<model_id>_<unique suffix>, as the 202 has it.' }),
        }),
        header: z.object({
          Prefer: z.string().optional().meta({
            description: 'wait=<seconds> asks to hold the response until the job has ended.',
            example: 'wait=10',
          }),
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
  [RECEIPT_KEYS_PATH]: {
    get: {
      operationId: 'listReceiptKeys',
      tags: [TAGS.service.name],
      summary: 'Keys that sign receipts',
      description:
        'A JSON Web Key Set, below the origin of the service as well: /.well-known/jwks.json. Keys that sign no more stay in it.',
      security: [],
      responses: {
        '200': describeResponse('The keys, the newest first.', keySetSchema),
        ...describeProblems([...OUTAGES, 'too_many_requests']),
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
