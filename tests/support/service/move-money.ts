import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Executor, violatedConstraint } from '../../../server/base/database/db.ts';
import {
  type Capture,
  capturing,
  type Hold,
  holding,
  insufficientBalance,
  nothingToCapture,
} from '../../../server/money/wallet/index.ts';

/** Reserves money by one statement; the service reserves it together with the job. */
export async function hold(db: Executor, order: Hold): Promise<void> {
  const held = await db.execute(holding(order)).catch((error: unknown) => {
    if (violatedConstraint(error) !== 'holds_reference_unique') throw error;
    throw new OperationError('conflict', `${order.reference} has a hold already.`, { cause: error });
  });
  if (held.length === 0) throw insufficientBalance(order.amount);
}

/** Captures held money by one statement; the service captures it together with the end of the job. */
export async function capture(db: Executor, order: Capture): Promise<void> {
  const written = await db.execute(sql`with ${capturing(order)} select from captured`);
  if (written.length === 0) throw nothingToCapture(order);
}
