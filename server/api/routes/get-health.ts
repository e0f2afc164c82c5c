import { z } from 'zod';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { describeProblems, describeResponse } from '../openapi/openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';

const healthSchema = z.object({ status: z.literal('ok') });

/** 200 once jobs can be accepted: the database responds and the store accepts objects. */
export const getHealth = defineRoute({
  method: 'GET',
  path: '/health',
  audience: 'programs',
  docs: {
    operationId: 'getHealth',
    tag: 'service',
    summary: 'Whether the service accepts jobs',
    description: 'For load balancers: 200 once the database responds and the store accepts objects.',
    responses: {
      '200': describeResponse('The service accepts jobs.', healthSchema),
      ...describeProblems(['too_many_requests', 'unavailable']),
    },
  },
  async handle({ ctx }) {
    try {
      // A tagged statement does not wait for the end of an outage.
      await Promise.all([ctx.db.$client`select 1 from jobs limit 1`, ctx.storage.check()]);
    } catch (cause) {
      throw new OperationError('unavailable', 'The database or the store does not respond.', { cause });
    }
    return jsonResponse(200, { status: 'ok' });
  },
});
