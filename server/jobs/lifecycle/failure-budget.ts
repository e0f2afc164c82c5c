import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { readOnly } from '../../base/database/read-only.ts';
import type { Env } from '../../base/env.ts';

type BudgetContext = Pick<Context, 'db' | 'log'> & { readonly env: Pick<Env, 'FAILURES_PER_HOUR'> };

/** A failure counts once for each started part of its run of so many seconds. */
const SECONDS_PER_FAILURE = 10;
/** Hours until the longest refusal ends, however much has failed. */
const HOURS_MAX = 1;

/** Expression for what counts of the failures recorded in the row `b`: they decay at the rate of the budget. */
const readSpentSeconds = (perHour: number) => sql`greatest(0, b.spent
  - ${perHour / 3600}::real * greatest(0, extract(epoch from clock_timestamp() - b.updated_at))::real)`;

/**
 * Returns how many failures a run or probe counts as that failed by its input, or used up its time: neither is charged,
 * and both took a runner's time.
 * @param seconds processor time, or the duration where that is not known
 * @returns one for each started part, at least one
 */
export function countParts(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / SECONDS_PER_FAILURE));
}

/** Records a number of failures. Never rejects. */
export async function recordFailures(
  { db, env, log }: BudgetContext,
  accountId: string,
  count: number,
): Promise<void> {
  if (count === 0) return;
  const { FAILURES_PER_HOUR: perHour } = env;
  const most = perHour * (1 + HOURS_MAX);
  const recorded = db.execute(sql`
    insert into failure_budgets as b (account_id, spent, updated_at)
    values (${accountId}::uuid, least(${count}::real, ${most}::real), clock_timestamp())
    on conflict (account_id) do update
      set spent = least(${readSpentSeconds(perHour)} + ${count}::real, ${most}::real), updated_at = clock_timestamp()`);
  await recorded.catch((err) => log.warn({ err }, 'a failure was not counted'));
}

/**
 * Checks that less of the account's work has failed than FAILURES_PER_HOUR allows.
 * @throws OperationError `too_many_requests` with the time until it may continue
 */
export async function assertFailureBudget(ctx: BudgetContext, accountId: string): Promise<void> {
  const excess = await describeExcess(ctx, accountId);
  if (excess <= 0) return;
  throw new OperationError(
    'too_many_requests',
    `Too many recent requests of this account failed by their inputs: the limit is ${ctx.env.FAILURES_PER_HOUR} an hour. Check the files, and wait for the seconds in Retry-After.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((excess / ctx.env.FAILURES_PER_HOUR) * 3600)) },
  );
}

/** Reports whether less of the account's work has failed than FAILURES_PER_HOUR allows. */
export async function hasFailureBudget(ctx: BudgetContext, accountId: string): Promise<boolean> {
  return (await describeExcess(ctx, accountId)) <= 0;
}

/** Returns the failures beyond the budget if one more happens. */
async function describeExcess({ db, env }: BudgetContext, accountId: string): Promise<number> {
  const { FAILURES_PER_HOUR: perHour } = env;
  const [row] = await db.execute<{ spent: number }>(
    readOnly(
      sql`select ${readSpentSeconds(perHour)} as spent from failure_budgets b where account_id = ${accountId}::uuid`,
    ),
  );
  return (row?.spent ?? 0) + 1 - perHour;
}
