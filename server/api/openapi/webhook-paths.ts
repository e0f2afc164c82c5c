import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { ALERT_SHARES } from '../../money/spending/index.ts';
import { TAGS } from './openapi-parts.ts';

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
export const WEBHOOKS: ZodOpenApiPathsObject = {
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
