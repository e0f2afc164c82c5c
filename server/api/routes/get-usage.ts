import { z } from 'zod';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import type { Context } from '../../base/context.ts';
import { isRecent, SINCE } from '../../base/periods.ts';
import { listCharges } from '../../identity/accounts/index.ts';
import { describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { assertRate, createBucketId } from '../transport/rate-limit.ts';
import { parseQuery } from '../transport/read-request.ts';

const DAY_MS = 86_400_000;
const DAYS_USUAL = 30;
/** A report reads every job of its days. */
const RATE = { counts: 'usage reports of this account', perSecond: 0.5, burst: 10 };

const day = z.iso.date().refine(isRecent, SINCE);
const usd = z.string().meta({ description: 'A decimal amount in US dollars.', example: '0.002' });

/** Longest range of a usage report. */
const USAGE_DAYS_MAX = 366;

const usageQuerySchema = z.strictObject({
  from: day.optional().meta({ description: 'First day (UTC), included. 30 days before to without.' }),
  to: day.optional().meta({ description: 'Last day (UTC), included. Today without.' }),
});

const usageSchema = z
  .object({
    from: day.meta({ description: 'First day of the report (UTC).' }),
    to: day.meta({ description: 'Last day of the report (UTC).' }),
    charged_usd: usd,
    usage: z
      .array(
        z.object({
          day: day.meta({ description: 'Day of the requests (UTC).' }),
          model_id: z.string().meta({ description: 'The operation, or its batches.' }),
          key_id: z.string().nullable().meta({ description: 'null for requests without a key.' }),
          requests: z.int().meta({ description: 'Requests that completed.' }),
          charged_usd: usd,
        }),
      )
      .meta({ description: 'By day of the request, operation and key, oldest first.' }),
  })
  .meta({ id: 'Usage' });

/** The account's charges by day, operation and key. */
export const getUsage = defineRoute({
  method: 'GET',
  path: '/v2/usage',
  permission: 'account.see',
  isForTokens: true,
  docs: {
    operationId: 'getUsage',
    tag: 'account',
    summary: 'Charges by day, operation and key',
    description: `Covers at most ${USAGE_DAYS_MAX} days, and requests while they are kept. A key with operations or a cap sees its own charges, and those of keys that it has replaced.`,
    requestParams: { query: usageQuerySchema },
    responses: {
      '200': describeResponse('The charges.', usageSchema),
      ...describeProblems(['bad_request', 'unauthorized', 'too_many_requests']),
    },
  },
  async handle({ ctx, request, actor: { accountId, visibleKeyIds: keyIds } }) {
    // 1. Parse.
    const query = parseParams(usageQuerySchema, parseQuery(request));
    const to = query.to ?? getDay(Date.now());
    const from = query.from ?? getDay(Date.parse(to) - (DAYS_USUAL - 1) * DAY_MS);
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
    if (days < 1 || days > USAGE_DAYS_MAX) {
      throw fieldError('from', `must not be after to, and at most ${USAGE_DAYS_MAX} days may be between.`);
    }
    // 2. Count the report.
    await countUsageReport(ctx, accountId);
    // 3. Respond with the charges.
    const rows = await listCharges(ctx.db, { accountId, keyIds, from, to });
    const total = rows.reduce((sum, { charged }) => sum + charged, 0n);
    const usage = rows.map((row) => ({
      day: row.day,
      model_id: row.modelId,
      key_id: row.keyId,
      requests: row.jobs,
      charged_usd: formatUsd(row.charged),
    }));
    return jsonResponse(200, { from, to, charged_usd: formatUsd(total), usage });
  },
});

/**
 * Counts a report of an account.
 * @throws OperationError `too_many_requests`
 */
export async function countUsageReport(ctx: Context, accountId: string): Promise<void> {
  await assertRate(ctx, createBucketId('usage', accountId), RATE);
}

function getDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
