import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { ERROR_CODE_HEADER } from '../../models/core/operation/errors.ts';
import { errorCodeSchema } from '../../models/core/operation/job-view.ts';
import { withoutGplFormats } from '../../models/media/image/gpl-formats.ts';
import type { Operations } from '../base/context.ts';
import { ALERT_SHARES } from '../money/spending/index.ts';
import { describeProblems, describeSecurity, TAGS } from './openapi-parts.ts';
import type { Route, RouteDocs } from './route.ts';
import { listRoutes } from './routes/list-routes.ts';
import { REQUEST_ID_HEADER } from './transport/problem.ts';

/** The job as the service writes it: as the body of a request, zod would describe it as it reads one. */
const JOB = { $ref: '#/components/schemas/Job' };

const usd = z.string().meta({ description: 'A decimal amount in US dollars.', example: '0.006' });

const SPENDING = z
  .object({
    type: z.literal('account.spending'),
    share: z.literal(ALERT_SHARES).meta({ description: 'Percentage of the cap that is spent.' }),
    spent_usd: usd,
    cap_usd: usd,
  })
  .meta({ id: 'SpendingEvent' });

/** Part of the description that all deliveries share. */
const DELIVERED = {
  security: [],
  requestParams: {
    header: z.object({
      'webhook-id': z.string().meta({ description: 'Id of the delivery, the same for each attempt.' }),
      'webhook-timestamp': z.string().meta({ description: 'Unix time of the attempt, in seconds.' }),
      'webhook-signature': z.string().meta({
        description: 'Signatures by the secrets of the account, separated by spaces.',
        example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      }),
    }),
  },
  responses: {
    '204': { description: 'The delivery is done.' },
    '410': { description: 'The receiver is gone: there are no further attempts.' },
  },
} satisfies Omit<ZodOpenApiOperationObject, 'operationId'>;

/** Webhooks that the service sends, by Standard Webhooks (https://www.standardwebhooks.com). */
const WEBHOOKS: ZodOpenApiPathsObject = {
  jobEnded: {
    post: {
      operationId: 'receiveJob',
      summary: 'End of a job',
      description:
        'Sent to X-Webhook-URL of a request once its job has ended: the body is that of the status. A response of 2xx within 15 seconds delivers it; after any other the service tries again, up to 10 times over about 3 days.',
      tags: [TAGS.jobs.name],
      requestBody: { required: true, content: { 'application/json': { schema: JOB } } },
      ...DELIVERED,
    },
  },
  accountSpending: {
    post: {
      operationId: 'receiveSpending',
      summary: 'Share of the monthly cap',
      description:
        'Sent to the event address of the account once 50, 80 and 100 % of its monthly cap are spent, once each in a calendar month (UTC).',
      tags: [TAGS.account.name],
      requestBody: { required: true, content: { 'application/json': { schema: SPENDING } } },
      ...DELIVERED,
    },
  },
};

/** Describes a header that many responses share. */
const sharedHeader = <Schema extends z.ZodType>(id: string, schema: Schema, description: string) =>
  schema.optional().meta({ description, header: { id } });

const TRACED = {
  [REQUEST_ID_HEADER]: sharedHeader(
    'RequestId',
    z.string(),
    'Id of the HTTP request, in the log of the service as well.',
  ),
};

const RATED = {
  'RateLimit-Limit': sharedHeader('RateLimitLimit', z.int(), 'Requests that a whole bucket allows.'),
  'RateLimit-Remaining': sharedHeader('RateLimitRemaining', z.int(), 'Requests that are left now.'),
  'RateLimit-Reset': sharedHeader('RateLimitReset', z.int(), 'Seconds until the bucket is whole again.'),
};

const REPLAYED = {
  'Idempotent-Replayed': sharedHeader(
    'IdempotentReplayed',
    z.literal('true'),
    'Present when this repeats the first response to the Idempotency-Key.',
  ),
};

const FAILED = {
  [ERROR_CODE_HEADER]: errorCodeSchema
    .optional()
    .meta({ description: 'Code of the error, as in its body.', header: { id: 'ErrorCode' } }),
};

const RETRIED = {
  'Retry-After': sharedHeader(
    'RetryAfter',
    z.int(),
    'Seconds after which the same request may succeed. Absent where no wait helps.',
  ),
};

/** Statuses whose responses may say when to come back. */
const RETRIED_STATUSES: readonly string[] = ['409', '429', '503'];

/** Errors that any path with a database behind it may respond. */
const OUTAGES = ['internal', 'unavailable'] as const;

/**
 * Builds the OpenAPI 3.1 document of the public API from its routes, with the schemas that check their requests. Routes
 * for the studio's pages or for operators are not in it.
 * @param options.gplEncoders whether formats that need GPL encoders are available
 */
export function openApiDocument(
  publicUrl: string,
  operations: Operations,
  { gplEncoders = true }: { gplEncoders?: boolean } = {},
): object {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Darkroom',
      version: '1.0.0',
      description:
        'Image, audio and video processing as prepaid jobs. Each error has a code: see the schema ErrorCode.',
      contact: { name: 'Guides', url: `${publicUrl}/docs` },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: serverUrl(publicUrl), description: 'This installation.' }],
    tags: Object.values(TAGS),
    paths: describePaths(gplEncoders ? operations : leaveOutGplFormats(operations)),
    webhooks: WEBHOOKS,
    components: {
      securitySchemes: {
        subscriptionKey: { type: 'apiKey', in: 'header', name: 'Ocp-Apim-Subscription-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  });
}

function describePaths(operations: Operations): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of listRoutes(operations)) {
    if (!route.docs) continue;
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeRoute(route, route.docs),
    };
  }
  return paths;
}

function leaveOutGplFormats(operations: Operations): Operations {
  const entries = Object.entries(operations).map(
    ([id, operation]) => [id, { ...operation, params: withoutGplFormats(operation.params) }] as const,
  );
  return Object.fromEntries(entries);
}

/**
 * Returns the URL of the API: relative on an address that only this machine knows, since a reader of the document may
 * know the machine by another.
 */
function serverUrl(publicUrl: string): string {
  return /^https?:\/\/localhost(:|\/|$)/.test(publicUrl) ? '/api' : `${publicUrl}/api`;
}

/**
 * Describes a route for the OpenAPI document. Adds what all routes have in common: the headers of their responses, the
 * error of a malformed segment, and those of an outage.
 */
function describeRoute(route: Route, { tag, ...docs }: RouteDocs): ZodOpenApiOperationObject {
  const { path } = route;
  const security = route.permission === undefined ? [] : describeSecurity(route.authentication);
  const isBillable = 'Idempotency-Key' in getShape(docs.requestParams?.header);
  const isFixed = security.length === 0 && !path.includes('{');
  const usual = {
    ...(path.includes('{') && describeProblems(['bad_request'])),
    ...(!isFixed && !isBillable && describeProblems(OUTAGES)),
  };
  const headers = {
    ...TRACED,
    ...RATED,
    ...(isBillable && REPLAYED),
  };
  const responses = Object.entries({ ...usual, ...docs.responses }).map(([status, response]) => [
    status,
    withHeaders(status, response as ZodOpenApiResponseObject, headers),
  ]);
  return { ...docs, tags: [TAGS[tag].name], security, responses: Object.fromEntries(responses) };
}

function withHeaders(
  status: string,
  response: ZodOpenApiResponseObject,
  usual: Readonly<Record<string, z.ZodType>>,
): ZodOpenApiResponseObject {
  const headers = {
    ...getShape(response.headers),
    ...usual,
    ...(Number(status) >= 400 && FAILED),
    ...(RETRIED_STATUSES.includes(status) && RETRIED),
  };
  return { ...response, headers: z.object(headers) };
}

/** Returns the members of a schema for headers; none without one. */
function getShape(headers: unknown): z.ZodRawShape {
  return headers instanceof z.ZodObject ? headers.shape : {};
}
