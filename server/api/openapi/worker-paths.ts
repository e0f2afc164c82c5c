import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { describeProblems, describeResponse, describeSecurity, problemSchema } from './openapi-parts.ts';
import { TAGS } from './tags.ts';
import {
  claimRequestSchema,
  claimSchema,
  inputQuerySchema,
  leaseSchema,
  outputQuerySchema,
  outputSchema,
  progressSchema,
  reportedSchema,
  reportSchema,
} from './worker-schemas.ts';

const CLAIM = {
  path: z.object({ claim_id: z.string().meta({ description: 'As the claim has it.' }) }),
};
const binary = z.string().meta({ format: 'binary' });
const shared = { tags: [TAGS.workers.name], security: describeSecurity('either') };
const OVER = {
  '409': describeResponse('Another worker has the job, or it has ended or was canceled.', problemSchema),
};
const CLAIM_FAULTS = ['bad_request', 'unauthorized', 'not_found', 'too_many_requests'] as const;

/** Describes the body of a request. */
function describeBody(schema: z.ZodType) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** Documents the routes of an account's own machines. */
export const WORKER_PATHS: ZodOpenApiPathsObject = {
  '/v2/worker/claims': {
    post: {
      ...shared,
      operationId: 'claimJob',
      summary: 'Take a job for a machine of the account',
      description:
        'Hands out the job with `run_on: "own"` that has waited the longest. Report its progress before lease_seconds have passed, again and again, or other workers may take it.',
      requestBody: describeBody(claimRequestSchema),
      responses: {
        '200': describeResponse('A job of the account, with its runs.', claimSchema),
        '204': { description: 'No job was due in that time. Ask again.' },
        ...describeProblems([
          'bad_request',
          'body_too_large',
          'unauthorized',
          'forbidden',
          'too_many_requests',
        ]),
      },
    },
  },
  '/v2/worker/claims/{claim_id}': {
    delete: {
      ...shared,
      operationId: 'returnJob',
      summary: 'Give a job back',
      description: 'Other workers may take it at once. The attempt does not count.',
      requestParams: CLAIM,
      responses: {
        '204': { description: 'It waits for a worker again.' },
        ...describeProblems(CLAIM_FAULTS),
      },
    },
  },
  '/v2/worker/claims/{claim_id}/progress': {
    post: {
      ...shared,
      operationId: 'reportProgress',
      summary: 'Keep a job, and report its progress',
      description: 'Prolongs the lease. A 409 says that nobody waits for this run any more: end it.',
      requestParams: CLAIM,
      requestBody: describeBody(progressSchema),
      responses: {
        '200': describeResponse('The job is still this worker’s.', leaseSchema),
        ...describeProblems([...CLAIM_FAULTS, 'body_too_large']),
        ...OVER,
      },
    },
  },
  '/v2/worker/claims/{claim_id}/files': {
    get: {
      ...shared,
      operationId: 'getClaimFile',
      summary: 'A file of the request',
      description: 'Sends the input or an attachment, or a range of it.',
      requestParams: { ...CLAIM, query: inputQuerySchema },
      responses: {
        '200': { description: 'The bytes.', content: { '*/*': { schema: binary } } },
        '206': { description: 'The bytes of the range.', content: { '*/*': { schema: binary } } },
        '304': { description: 'The bytes are those of If-None-Match.' },
        ...describeProblems([...CLAIM_FAULTS, 'range_not_satisfiable']),
        ...OVER,
      },
    },
    post: {
      ...shared,
      operationId: 'sendClaimFile',
      summary: 'A file of the result',
      description:
        'Takes the raw bytes. They must be of the kind that the operation makes, and hash as Content-Digest says; a file that comes again takes the place of the first.',
      requestParams: {
        ...CLAIM,
        query: outputQuerySchema,
        header: z.object({
          'content-digest': z
            .string()
            .meta({ description: 'SHA-256 of the body (RFC 9530).', example: 'sha-256=:47DEQpj8…=:' }),
        }),
      },
      requestBody: { required: true, content: { '*/*': { schema: binary } } },
      responses: {
        '201': describeResponse('The file is stored.', outputSchema),
        ...describeProblems([...CLAIM_FAULTS, 'body_too_large']),
        ...OVER,
      },
    },
  },
  '/v2/worker/claims/{claim_id}/report': {
    post: {
      ...shared,
      operationId: 'reportRun',
      summary: 'End of a run',
      description:
        'Settles the run, and with the last run the job. Engine, weights and result count as reported by the account, and the receipt says so. May be repeated after a lost response.',
      requestParams: CLAIM,
      requestBody: describeBody(reportSchema),
      responses: {
        '200': describeResponse('The run is settled.', reportedSchema),
        ...describeProblems([...CLAIM_FAULTS, 'body_too_large']),
        ...OVER,
      },
    },
  },
};
