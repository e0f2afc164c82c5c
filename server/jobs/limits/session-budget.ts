import { and, eq, notInArray, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import type { SpendingSession } from '../../base/context/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';

const { jobs } = schema;

/**
 * Checks that a session may spend an amount besides what its jobs have cost or hold. Failed jobs count for nothing.
 * Other jobs of the session wait until the transaction ends, so that two cannot spend the same rest.
 * @throws OperationError `insufficient_balance` when the limit would be exceeded
 */
export async function assertSessionBudget(
  tx: Tx,
  { id, limit }: SpendingSession,
  amount: MicroUsd,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`);
  const ofJob = sql`case when ${jobs.status} = 'COMPLETED' then ${jobs.charged} else ${jobs.held} end`;
  const [row] = await tx
    .select({ spent: sql<string>`coalesce(sum(${ofJob}), 0)` })
    .from(jobs)
    .where(and(eq(jobs.spendingSession, id), notInArray(jobs.status, ['FAILED', 'ERROR'])));
  const left = limit - BigInt(row?.spent ?? 0);
  if (amount <= left) return;
  throw new OperationError(
    'insufficient_balance',
    `The spending limit of this session, ${formatUsd(limit)} USD, leaves ${formatUsd(left > 0n ? left : 0n)} USD, and this costs ${formatUsd(amount)} USD.`,
  );
}
