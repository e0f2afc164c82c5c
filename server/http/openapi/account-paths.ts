import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { jobViewSchema } from '../../../models/operation/job-view.ts';
import { QUOTES_PER_MINUTE, STREAM_MINUTES_MAX } from '../limits/limits.ts';
import {
  quoteRequestSchema,
  quoteSchema,
  requestListSchema,
  requestQuerySchema,
  USAGE_DAYS_MAX,
  usageQuerySchema,
  usageSchema,
} from './account-schemas.ts';
import { describeProblems, describeResponse, describeSecurity, problemSchema } from './openapi-parts.ts';

const requestId = z.object({ request_id: z.string() });

/** Documents the routes for an account's own requests and spending. */
export const ACCOUNT_PATHS: ZodOpenApiPathsObject = {
  '/v2/requests': {
    get: {
      operationId: 'listRequests',
      summary: 'Requests of the account',
      description: 'Newest first, in pages. Requests are listed while they are kept.',
      security: describeSecurity('either'),
      requestParams: { query: requestQuerySchema },
      responses: {
        '200': describeResponse('A page of requests.', requestListSchema),
        ...describeProblems(['bad_request', 'unauthorized', 'too_many_requests']),
      },
    },
  },
  '/v2/requests/{request_id}': {
    delete: {
      operationId: 'cancelRequest',
      summary: 'Cancel a request',
      description:
        'Ends a queued or running request: FAILED with the error "canceled". Its hold is released, and its run stops within seconds. The time that the run took counts like that of a failed one.',
      security: describeSecurity('either'),
      requestParams: { path: requestId },
      responses: {
        '200': describeResponse('The canceled job.', jobViewSchema),
        ...describeProblems(['unauthorized', 'forbidden', 'not_found', 'too_many_requests']),
        '409': describeResponse('The request has already ended.', problemSchema),
      },
    },
  },
  '/v2/requests/status/{request_id}/events': {
    get: {
      operationId: 'getRequestEvents',
      summary: 'State of a job, as it changes',
      description: `Server-sent events of the type \`job\`, whose data is the job as JSON: one at once, then one for each change of state or progress. Comments keep the connection open. The stream ends with the job, or after ${STREAM_MINUTES_MAX} minutes: then connect again.`,
      security: describeSecurity('either'),
      requestParams: { path: requestId },
      responses: {
        '200': {
          description: 'The events.',
          content: { 'text/event-stream': { schema: z.string() } },
        },
        ...describeProblems(['unauthorized', 'not_found', 'too_many_requests']),
      },
    },
  },
  '/v2/quotes': {
    post: {
      operationId: 'createQuote',
      summary: 'Price of a request before it is sent',
      description: `Fetches and checks the input as the request itself would, and charges nothing. An upload stays usable. The body has at most 1 MB: give a larger file by its URL. An account may ask for ${QUOTES_PER_MINUTE} quotes a minute.`,
      security: describeSecurity('either'),
      requestBody: { required: true, content: { 'application/json': { schema: quoteRequestSchema } } },
      responses: {
        '200': describeResponse('The quote.', quoteSchema),
        ...describeProblems(['bad_request', 'unfetchable', 'unsupported', 'too_large', 'unauthorized']),
        ...describeProblems(['insufficient_balance', 'forbidden', 'too_many_requests', 'unavailable']),
      },
    },
  },
  '/v2/usage': {
    get: {
      operationId: 'getUsage',
      summary: 'Charges by day, operation and key',
      description: `Covers at most ${USAGE_DAYS_MAX} days, and requests while they are kept.`,
      security: describeSecurity('either'),
      requestParams: { query: usageQuerySchema },
      responses: {
        '200': describeResponse('The charges.', usageSchema),
        ...describeProblems(['bad_request', 'unauthorized', 'too_many_requests']),
      },
    },
  },
};
