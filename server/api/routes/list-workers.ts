import { z } from 'zod';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { listWorkers as readWorkers } from '../../jobs/self-hosted/index.ts';
import { describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';

const workerListSchema = z
  .object({
    workers: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name that the machine gives itself.' }),
          last_seen_at: z.iso
            .datetime({ precision: 3 })
            .meta({ description: 'Time at which it last asked for a job, or reported on one.' }),
          jobs: z.array(z.string()).meta({ description: 'request_ids of the jobs that it runs.' }),
        }),
      )
      .meta({ description: 'The latest first. Those not seen for a week are left out.' }),
  })
  .meta({ id: 'WorkerList' });

/** The account's self-hosted workers. */
export const listWorkers = defineRoute({
  method: 'GET',
  path: '/v2/workers',
  permission: 'jobs.see',
  docs: {
    operationId: 'listWorkers',
    tag: 'workers',
    summary: 'Self-hosted workers of the account',
    description: 'For keys without limits.',
    responses: {
      '200': describeResponse('The workers.', workerListSchema),
      ...describeProblems(['unauthorized', 'forbidden', 'too_many_requests']),
    },
  },
  async handle({ ctx, actor }) {
    // 1. Authorize.
    if (actor.visibleKeyIds) {
      throw new OperationError(
        'forbidden',
        'This API key has limits. The workers of the account need one without.',
      );
    }
    // 2. List.
    return jsonResponse(200, { workers: await readWorkers(ctx, actor.accountId) });
  },
});
