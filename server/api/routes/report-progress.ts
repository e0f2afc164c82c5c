import { z } from 'zod';
import { parseParams } from '../../../models/core/operation/params.ts';
import { LEASE_SECONDS } from '../../base/queue/index.ts';
import { reportProgress as recordProgress } from '../../jobs/index.ts';
import { findOwnAttempt, holdLease } from '../../jobs/self-hosted/index.ts';
import { CLAIM_FAULTS, CLAIM_ID, CLAIM_LOST, CLAIM_PATH } from '../claim-routes.ts';
import { describeBody, describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from '../transport/read-request.ts';

/** Body with which a worker reports that it goes on. */
export const progressSchema = z.strictObject({
  progress: z.number().min(0).max(1).meta({ description: 'Share of the job that is done.' }),
});

const leaseSchema = z
  .object({
    lease_seconds: z
      .number()
      .meta({ description: 'Time without a report after which other workers may take the job.' }),
  })
  .meta({ id: 'Lease' });

/** Prolongs the lease of a job, and tells whether it is still wanted. */
export const reportProgress = defineRoute({
  method: 'POST',
  path: `${CLAIM_PATH}/progress`,
  permission: 'jobs.change',
  isForWorkers: true,
  docs: {
    operationId: 'reportProgress',
    tag: 'workers',
    summary: 'Keep a job, and report its progress',
    description: 'Prolongs the lease. A 409 says that this run is no longer needed: end it.',
    requestParams: CLAIM_ID,
    requestBody: describeBody(progressSchema),
    responses: {
      '200': describeResponse('The job is still this worker’s.', leaseSchema),
      ...describeProblems([...CLAIM_FAULTS, 'body_too_large', 'unsupported_encoding']),
      ...CLAIM_LOST,
    },
  },
  async handle({ ctx, request, actor, segment: claimId }) {
    // 1. Find the job.
    const own = await findOwnAttempt(ctx, actor, claimId);
    // 2. Parse.
    const body = parseJsonObject(await readBody(request, FIELDS_BYTES_MAX));
    const { progress } = parseParams(progressSchema, body);
    // 3. Prolong the lease.
    await holdLease(ctx, own);
    await recordProgress(ctx.db, own, progress);
    return jsonResponse(200, { lease_seconds: LEASE_SECONDS });
  },
});
