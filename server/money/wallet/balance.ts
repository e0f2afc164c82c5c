import { eq } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { type Executor, schema } from '../../base/database/db.ts';

export interface Balance {
  /** All money in the wallet. */
  readonly balance: MicroUsd;
  /** Part of it that open holds have reserved. */
  readonly held: MicroUsd;
  /** Amount that a new hold may reserve. */
  readonly available: MicroUsd;
}

/**
 * Reads a wallet's balance.
 * @throws OperationError `not_found` when the account has no wallet
 */
export async function readBalance(db: Executor, accountId: string): Promise<Balance> {
  const [wallet] = await db
    .select({ balance: schema.ledgerAccounts.balance, held: schema.ledgerAccounts.held })
    .from(schema.ledgerAccounts)
    .where(eq(schema.ledgerAccounts.ownerId, accountId));
  if (!wallet) throw new OperationError('not_found', `Account ${accountId} has no wallet.`);
  return { ...wallet, available: wallet.balance - wallet.held };
}
