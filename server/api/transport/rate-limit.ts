import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { readOnly } from '../../base/database/read-only.ts';

/** Refill rate and capacity of a bucket. */
export interface BucketRate {
  /** Names what the bucket counts, and whose: `quotes of this account`. A refusal says so. */
  readonly counts: string;
  readonly perSecond: number;
  readonly burst: number;
}

/** Returns the rate of a key or a session, or of an address. @param counts as of {@link BucketRate} */
export const usualRate = (
  { env }: Pick<Context, 'env'>,
  counts = 'requests with this key or session',
): BucketRate => ({
  counts,
  perSecond: env.RATE_LIMIT_PER_SECOND,
  burst: env.RATE_LIMIT_BURST,
});

/**
 * Takes one token from the bucket of a key or an address, shared by all processes: one upsert, refilled by the
 * elapsed time.
 * @param count of tokens; with more than one, those that are missing are taken from what the bucket gets next
 * @returns the RateLimit headers for the response; the bucket is empty when `allowed` is false
 */
export async function takeToken(
  ctx: Context,
  bucketId: string,
  rate: BucketRate = usualRate(ctx),
  count = 1,
): Promise<{ allowed: boolean; headers: Record<string, string>; refusal: OperationError }> {
  const { perSecond, burst } = rate;
  const refilled = sql`least(${burst}::real,
    r.tokens + ${perSecond}::real * greatest(0, extract(epoch from clock_timestamp() - r.updated_at))::real)`;
  const [taken] = await ctx.db.execute<{ tokens: number }>(sql`
    insert into rate_limits as r (key_id, tokens, updated_at)
    values (${bucketId}, ${burst}::real - ${count}::real, clock_timestamp())
    on conflict (key_id) do update set tokens = ${refilled} - ${count}::real, updated_at = clock_timestamp()
      where ${refilled} >= 1
    returning tokens`);
  const tokens = taken?.tokens ?? (await tokensLeft(ctx, bucketId, refilled));
  const headers: Record<string, string> = {
    'ratelimit-limit': String(burst),
    'ratelimit-remaining': String(Math.max(0, Math.floor(tokens))),
    'ratelimit-reset': String(Math.ceil((burst - tokens) / perSecond)),
  };
  const retryAfterSeconds = Math.max(1, Math.ceil((1 - tokens) / perSecond));
  if (!taken) headers['retry-after'] = String(retryAfterSeconds);
  const refusal = rateLimitExceeded(rate, retryAfterSeconds);
  return { allowed: taken !== undefined, headers, refusal };
}

/**
 * Takes tokens of a bucket, as `takeToken` does.
 * @throws OperationError `too_many_requests` when it is empty
 */
export async function assertRate(ctx: Context, bucketId: string, rate: BucketRate, count = 1): Promise<void> {
  const { allowed, refusal } = await takeToken(ctx, bucketId, rate, count);
  if (!allowed) throw refusal;
}

async function tokensLeft(ctx: Context, bucketId: string, refilled: ReturnType<typeof sql>): Promise<number> {
  const [row] = await ctx.db.execute<{ tokens: number }>(
    readOnly(sql`select ${refilled} as tokens from rate_limits r where key_id = ${bucketId}`),
  );
  return row?.tokens ?? 0;
}

/** Returns the id of a bucket: a hash in the form of a UUID, so that its owner is not stored. */
export function createBucketId(purpose: string, owner: string): string {
  const hash = createHash('sha256').update(`${purpose} ${owner}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Periods in which rates are told, in seconds. */
const PERIODS = [
  ['a second', 1],
  ['a minute', 60],
  ['an hour', 3600],
] as const;

/** Creates the error of a bucket that is empty, which names its limit. */
function rateLimitExceeded(
  { counts, perSecond, burst }: BucketRate,
  retryAfterSeconds: number,
): OperationError {
  const [name, seconds] = PERIODS.find(([, length]) => perSecond * length >= 1) ?? PERIODS[2];
  const rate = `${Math.round(perSecond * seconds * 10) / 10} ${name}`;
  const message = `Too many ${counts}: the limit is ${rate}, and ${burst} at once. Wait for the seconds in Retry-After.`;
  return new OperationError('too_many_requests', message, { retryAfterSeconds });
}

/** Creates the error that a test forces. */
export function forcedRateLimit(ctx: Pick<Context, 'env'>): OperationError {
  return rateLimitExceeded(usualRate(ctx), 1);
}
