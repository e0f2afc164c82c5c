import type { MicroUsd } from '../../models/money.ts';
import type { Executor } from '../db.ts';
import { balance } from './balance.ts';
import { tooLow } from './hold.ts';

/**
 * Checks that a wallet could hold an amount now. It holds nothing: another request may still be faster.
 * @throws OperationError `insufficient_balance`
 */
export async function assertAvailable(
  db: Executor,
  { accountId, amount }: { accountId: string; amount: MicroUsd },
): Promise<void> {
  const { available } = await balance(db, accountId);
  if (available < amount) throw tooLow(amount);
}
