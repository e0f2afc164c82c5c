import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import { type Executor, violatedConstraint } from '../../base/database/db.ts';

export interface Hold {
  readonly accountId: string;
  /** Above 0. */
  readonly amount: MicroUsd;
  /** Purpose of the hold, such as a request_id. One hold each, for ever. */
  readonly reference: string;
}

/**
 * Reserves money, so that nothing else can spend it. Its wallet stays locked until the transaction ends.
 * @throws OperationError `insufficient_balance`, or `conflict` when the reference has a hold already
 */
export async function hold(db: Executor, { accountId, amount, reference }: Hold): Promise<void> {
  if (amount <= 0n) throw new OperationError('bad_request', 'amount: must be above 0.');
  const held = await db
    .execute(sql`
      insert into holds (ledger_account_id, amount_micro_usd, reference)
      select id, ${amount}, ${reference} from ledger_accounts
      where owner_id = ${accountId} and balance_micro_usd - held_micro_usd >= ${amount}
      for no key update
      returning id`)
    .catch((error: unknown) => {
      if (violatedConstraint(error) !== 'holds_reference_unique') throw error;
      throw new OperationError('conflict', `${reference} has a hold already.`, { cause: error });
    });
  if (held.length > 0) return;
  throw insufficientBalance(amount);
}

export function insufficientBalance(amount: MicroUsd): OperationError {
  return new OperationError(
    'insufficient_balance',
    `The wallet balance is too low: this needs ${formatUsd(amount)} USD. Top up the wallet and try again.`,
  );
}
