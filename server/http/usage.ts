import { OperationError } from '../../models/errors.ts';
import { formatUsd } from '../../models/money.ts';
import { parseParams } from '../../models/params.ts';
import type { Context } from '../context.ts';
import type { Actor } from '../keys/index.ts';
import { spendingOf } from '../usage/index.ts';
import { USAGE_DAYS_MAX, usageQuerySchema } from './account-schemas.ts';
import { jsonResponse } from './problem.ts';
import { queryOf } from './query-of.ts';
import { bucketOf, rateLimited, takeToken } from './rate-limit.ts';

const DAY_MS = 86_400_000;
const DAYS_USUAL = 30;
/** A report reads every job of its days. */
const RATE = { perSecond: 0.5, burst: 10 };

/** Handles GET /v2/usage: the account's charges by day, operation and key. */
export async function usage(ctx: Context, request: Request, { accountId }: Actor): Promise<Response> {
  const query = parseParams(usageQuerySchema, queryOf(request));
  const to = query.to ?? dayOf(Date.now());
  const from = query.from ?? dayOf(Date.parse(to) - (DAYS_USUAL - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > USAGE_DAYS_MAX) {
    throw new OperationError(
      'bad_request',
      `from: must not be after to, and at most ${USAGE_DAYS_MAX} days may be between.`,
    );
  }
  await countReport(ctx, accountId);
  const rows = await spendingOf(ctx.db, { accountId, from, to });
  const total = rows.reduce((sum, { charged }) => sum + charged, 0n);
  const shown = rows.map(({ day, modelId, keyId, charged, jobs }) => ({
    ...{ day, model_id: modelId, key_id: keyId, requests: jobs },
    charged_usd: formatUsd(charged),
  }));
  return jsonResponse(200, { from, to, charged_usd: formatUsd(total), usage: shown });
}

/**
 * Counts a report of an account.
 * @throws OperationError `too_many_requests`
 */
export async function countReport(ctx: Context, accountId: string): Promise<void> {
  const { allowed } = await takeToken(ctx, bucketOf('usage', accountId), RATE);
  if (!allowed) throw rateLimited();
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
