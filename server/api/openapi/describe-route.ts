import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { ERROR_CODE_HEADER } from '../../../models/core/operation/errors.ts';
import { errorCodeSchema } from '../../../models/core/operation/job-view.ts';
import { REQUEST_ID_HEADER } from '../problems/build-problem.ts';
import type { Route, RouteDocs } from '../route.ts';
import { describeProblems, describeSecurity, TAGS } from './openapi-parts.ts';

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
 * Describes a route for the OpenAPI document. Adds what all routes have in common: the headers of their responses, the
 * error of a malformed segment, and those of an outage.
 */
export function describeRoute(route: Route, { tag, ...docs }: RouteDocs): ZodOpenApiOperationObject {
  const { path } = route;
  const security = route.permission === undefined ? [] : describeSecurity(route.authentication);
  const isBillable = 'Idempotency-Key' in shapeOf(docs.requestParams?.header);
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
    ...shapeOf(response.headers),
    ...usual,
    ...(Number(status) >= 400 && FAILED),
    ...(RETRIED_STATUSES.includes(status) && RETRIED),
  };
  return { ...response, headers: z.object(headers) };
}

/** Returns the members of a schema for headers; none without one. */
function shapeOf(headers: unknown): z.ZodRawShape {
  return headers instanceof z.ZodObject ? headers.shape : {};
}
