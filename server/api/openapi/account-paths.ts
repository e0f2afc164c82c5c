import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { jobViewSchema } from '../../../models/core/operation/job-view.ts';
import { QUOTES_PER_MINUTE, STREAM_MINUTES_MAX } from '../limits/limits.ts';
import { JOB_EVENT } from '../results/job-event.ts';
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
import { TAGS } from './tags.ts';

const requestId = z.object({
  request_id: z.string().meta({ description: '<model_id>_<unique suffix>, as the 202 has it.' }),
});
const LAST_EVENT_ID = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .meta({ description: 'Id of the last event that has arrived; an EventSource sends it itself.' }),
});

/** Documents the routes for an account's own requests and spending. */
export const ACCOUNT_PATHS: ZodOpenApiPathsObject = {
  '/v2/requests': {
    get: {
      operationId: 'listRequests',
      tags: [TAGS.jobs.name],
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
      tags: [TAGS.jobs.name],
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
      tags: [TAGS.jobs.name],
      summary: 'State of a job, as it changes',
      description: `Server-sent events named \`${JOB_EVENT}\`, whose data is the job as JSON and whose id names its state: one at once, then one for each change of state or progress. Comments keep the connection open. The stream ends with the job, or after ${STREAM_MINUTES_MAX} minutes: then connect again with Last-Event-ID, as an EventSource does. Each event is the whole job, so the newest one holds all that was missed. A reconnect after the last event of an ended job gets 204.`,
      security: describeSecurity('either'),
      requestParams: { path: requestId, header: LAST_EVENT_ID },
      responses: {
        '200': {
          description: 'The events.',
          content: {
            'text/event-stream': {
              schema: z.string().meta({
                description: 'Each event has the fields event, id and data, whose JSON is a Job.',
                example: `event: ${JOB_EVENT}\nid: 1795638702833-QUEUED\ndata: {"request_id":"…","status":"QUEUED"}\n\n`,
              }),
            },
          },
        },
        '204': { description: 'The job has ended, and Last-Event-ID is that of its last event.' },
        ...describeProblems(['unauthorized', 'not_found', 'too_many_requests']),
      },
    },
  },
  '/v2/quotes': {
    post: {
      operationId: 'createQuote',
      tags: [TAGS.jobs.name],
      summary: 'Price of a request before it is sent',
      description: `Fetches and checks the input as the request itself would, and charges nothing. An upload stays usable. The body has at most 1 MB: give a larger file by its URL. An account may ask for ${QUOTES_PER_MINUTE} quotes a minute.`,
      security: describeSecurity('either'),
      requestBody: { required: true, content: { 'application/json': { schema: quoteRequestSchema } } },
      responses: {
        '200': describeResponse('The quote.', quoteSchema),
        ...describeProblems([
          'bad_request',
          'unfetchable',
          'unsupported',
          'too_large',
          'body_too_large',
          'unauthorized',
        ]),
        ...describeProblems([
          'insufficient_balance',
          'forbidden',
          'too_many_requests',
          'unavailable',
          'engine_unavailable',
          'category_unavailable',
        ]),
      },
    },
  },
  '/v2/usage': {
    get: {
      operationId: 'getUsage',
      tags: [TAGS.account.name],
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
