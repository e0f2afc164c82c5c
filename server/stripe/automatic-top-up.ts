import { eq } from 'drizzle-orm';
import type { MicroUsd } from '../../models/money.ts';
import { type Executor, schema } from '../db.ts';

export interface AutomaticTopUp {
  readonly threshold: MicroUsd;
  readonly amount: MicroUsd;
  /** Reason of the bank's refusal: nothing is tried any more. */
  readonly refusal: string | null;
}

/** Reads when and how an account tops up without anybody present; null when it does not. */
export async function automaticTopUpOf(db: Executor, accountId: string): Promise<AutomaticTopUp | null> {
  const { threshold, amount, refusal, accountId: owner } = schema.automaticTopUps;
  const [found] = await db
    .select({ threshold, amount, refusal })
    .from(schema.automaticTopUps)
    .where(eq(owner, accountId));
  return found ?? null;
}

/** Ends automatic top-ups, and forgets the saved payment method. */
export async function stopAutomaticTopUps(db: Executor, accountId: string): Promise<void> {
  const { automaticTopUps } = schema;
  await db.delete(automaticTopUps).where(eq(automaticTopUps.accountId, accountId));
}
