import { sql } from 'drizzle-orm';
import { buildOnce } from '../../../models/core/build-once.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { readOnly } from '../../base/database/read-only.ts';
import type { Env } from '../../base/env.ts';

/** Bytes of a pixel in the largest output format. */
const PIXEL_BYTES = 4;
/** Bytes for each second of unpaid sound: four stems of 16 bits. */
const FREE_SOUND_BYTES = 4 * 44_100 * 2 * 2;
/** Days that a job may take, after which its files count no more until they are deleted. */
export const RUN_DAYS = 2;
/** Part of the database's time for an account's sums, whatever their number of files. */
const TIME_SHARE = 0.05;
const REMEMBERED_MS_MAX = 2_000;
const ACCOUNTS_MAX = 10_000;

interface Sum {
  readonly bytes: number;
  readonly untilMs: number;
}

const getCachedSums = buildOnce((_env: Env) => new Map<string, Sum>());

/**
 * Checks that an account may store more: inputs and results until they are deleted, and what the results of its
 * unfinished jobs may take, by their pixels.
 * @throws OperationError `too_many_requests` naming the allowance
 */
export async function assertStorageQuota(ctx: Context, accountId: string): Promise<void> {
  const { ACCOUNT_STORAGE_GB: allowed, RESULT_TTL_HOURS: hours } = ctx.env;
  const bytes = await sumStoredBytes(ctx, accountId);
  if (bytes < allowed * 1e9) return;
  throw new OperationError(
    'too_many_requests',
    `The files of this account's jobs take ${(bytes / 1e9).toFixed(1)} GB, unfinished jobs included, and at most ${allowed} GB may be stored. Delete results, or wait until they are deleted, ${hours} hours after their job.`,
  );
}

async function sumStoredBytes(ctx: Context, accountId: string): Promise<number> {
  const known = getCachedSums(ctx.env);
  const sum = known.get(accountId);
  if (sum && sum.untilMs > performance.now()) return sum.bytes;
  const startedAtMs = performance.now();
  const bytes = await readStoredBytes(ctx, accountId);
  const nowMs = performance.now();
  if (known.size >= ACCOUNTS_MAX) known.clear();
  const rememberedMs = Math.min(REMEMBERED_MS_MAX, (nowMs - startedAtMs) / TIME_SHARE);
  known.set(accountId, { bytes, untilMs: nowMs + rememberedMs });
  return bytes;
}

async function readStoredBytes({ db, env }: Context, accountId: string): Promise<number> {
  const hours = env.RESULT_TTL_HOURS + RUN_DAYS * 24;
  const [row] = await db.execute<{ bytes: number }>(
    readOnly(sql`
    with recent as (
      select id, status, facts, params, is_test or run_on = 'own' as is_free from jobs
      where account_id = ${accountId} and created_at > now() - ${hours} * interval '1 hour'
    ), pictures as (
      select facts from recent where status in ('QUEUED', 'PROCESSING')
      union all
      select item -> 'facts' from recent,
        jsonb_array_elements(case jsonb_typeof(params -> 'items') when 'array' then params -> 'items' else '[]' end) item
      where status in ('QUEUED', 'PROCESSING')
    )
    select
      (select coalesce(sum(bytes), 0) from files join recent on job_id = id where deleted_at is null)::float8
      + (select coalesce(sum((facts ->> 'width')::float8 * (facts ->> 'height')::float8), 0) * ${PIXEL_BYTES}
         from pictures)
      + (select coalesce(sum((facts ->> 'durationSeconds')::float8), 0) * ${FREE_SOUND_BYTES}
         from recent where is_free and status in ('QUEUED', 'PROCESSING')) as bytes`),
  );
  return row?.bytes ?? 0;
}
