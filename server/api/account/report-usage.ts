import { fieldError } from '../../../models/core/operation/errors.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import type { Context } from '../../base/context/context.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { listCharges } from '../../identity/usage/index.ts';
import { createBucketId, rateLimitExceeded, takeToken } from '../limits/rate-limit.ts';
import { USAGE_DAYS_MAX, usageQuerySchema } from '../openapi/account-schemas.ts';
import { parseQuery } from '../transport/parse-query.ts';
import { jsonResponse } from '../transport/problem.ts';

const DAY_MS = 86_400_000;
const DAYS_USUAL = 30;
/** A report reads every job of its days. */
const RATE = { perSecond: 0.5, burst: 10 };

/** Handles GET /v2/usage: the account's charges by day, operation and key. */
export async function getUsage(ctx: Context, request: Request, { accountId }: Actor): Promise<Response> {
  const query = parseParams(usageQuerySchema, parseQuery(request));
  const to = query.to ?? dayOf(Date.now());
  const from = query.from ?? dayOf(Date.parse(to) - (DAYS_USUAL - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > USAGE_DAYS_MAX) {
    throw fieldError('from', `must not be after to, and at most ${USAGE_DAYS_MAX} days may be between.`);
  }
  await countUsageReport(ctx, accountId);
  const rows = await listCharges(ctx.db, { accountId, from, to });
  const total = rows.reduce((sum, { charged }) => sum + charged, 0n);
  const shown = rows.map(({ day, modelId, keyId, charged, jobs }) => ({
    day,
    model_id: modelId,
    key_id: keyId,
    requests: jobs,
    charged_usd: formatUsd(charged),
  }));
  return jsonResponse(200, { from, to, charged_usd: formatUsd(total), usage: shown });
}

/**
 * Counts a report of an account.
 * @throws OperationError `too_many_requests`
 */
export async function countUsageReport(ctx: Context, accountId: string): Promise<void> {
  const { allowed } = await takeToken(ctx, createBucketId('usage', accountId), RATE);
  if (!allowed) throw rateLimitExceeded();
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
