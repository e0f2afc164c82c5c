import { requeueOwnJob } from '../../jobs/index.ts';
import { findOwnAttempt } from '../../jobs/self-hosted/index.ts';
import { CLAIM_FAULTS, CLAIM_ID, CLAIM_PATH } from '../claim-routes.ts';
import { describeProblems } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';

/** Gives a job back, for others to take. The attempt does not count. */
export const returnJob = defineRoute({
  method: 'DELETE',
  path: CLAIM_PATH,
  permission: 'jobs.change',
  isForWorkers: true,
  docs: {
    operationId: 'returnJob',
    tag: 'workers',
    summary: 'Give a job back',
    description: 'Other workers may take it at once. The attempt does not count.',
    requestParams: CLAIM_ID,
    responses: {
      '204': { description: 'It waits for a worker again.' },
      ...describeProblems(CLAIM_FAULTS),
    },
  },
  async handle({ ctx, actor, segment: claimId }) {
    await requeueOwnJob(ctx.db, await findOwnAttempt(ctx, actor, claimId));
    return new Response(null, { status: 204 });
  },
});
