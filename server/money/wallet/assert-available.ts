import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { Executor } from '../../base/database/db.ts';
import { readBalance } from './balance.ts';
import { insufficientBalance } from './hold.ts';

/**
 * Checks that a wallet could hold an amount now. It holds nothing: another request may still be faster.
 * @throws OperationError `insufficient_balance`
 */
export async function assertAvailable(
  db: Executor,
  { accountId, amount }: { accountId: string; amount: MicroUsd },
): Promise<void> {
  const { available } = await readBalance(db, accountId);
  if (available < amount) throw insufficientBalance(amount);
}
