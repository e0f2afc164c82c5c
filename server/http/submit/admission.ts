import { batchId } from '../../../models/operation/batch.ts';
import type { Operation } from '../../../models/operation/define-operation.ts';
import { lowestPrice } from '../../../models/operation/lowest-price.ts';
import type { MicroUsd } from '../../../models/operation/money.ts';
import { type Context, getOperations } from '../../context.ts';
import { assertStorageQuota } from '../../jobs/index.ts';
import { type Actor, assertKeyBudget } from '../../keys/index.ts';
import { assertAccountBudget } from '../../spending/index.ts';
import { assertAvailable } from '../../wallet/index.ts';
import { hasEarlierOutcome } from './idempotency.ts';
import type { BillableCall } from './respond-idempotently.ts';

/**
 * Checks, before a byte of a billable request is received or fetched, that the account could pay for the cheapest one
 * and may store more. A repeated request gets its first response whatever became of the wallet since.
 * @throws OperationError `insufficient_balance` or `too_many_requests`
 */
export async function assertAdmitted({ ctx, request, actor, operation }: BillableCall): Promise<void> {
  try {
    await assertCapacity(ctx, actor, lowestPrice([operation]));
  } catch (thrown) {
    if (!(await hasEarlierOutcome(ctx.db, actor.accountId, request))) throw thrown;
  }
}

/**
 * Checks, before a byte of an upload is received, that the account could pay for the cheapest use of it and may store
 * more.
 * @throws OperationError `insufficient_balance` or `too_many_requests`
 */
export async function assertUploadAdmitted(ctx: Context, actor: Actor): Promise<void> {
  const all = Object.values(getOperations(ctx));
  const allowed: readonly string[] | null = actor.operations;
  const usable = all.filter(
    ({ id }) => !allowed || [id, batchId(id)].some((model) => allowed.includes(model)),
  );
  await assertCapacity(ctx, actor, actor.isTest ? 0n : lowestPrice(usable));
}

/**
 * Checks, before a file is fetched for a quote, that the account could pay for the cheapest request of the operation.
 * @throws OperationError `insufficient_balance` or `too_many_requests`
 */
export async function assertQuoteAdmitted(ctx: Context, actor: Actor, operation: Operation): Promise<void> {
  await assertCapacity(ctx, actor, lowestPrice([operation]));
}

async function assertCapacity(ctx: Context, { accountId, keyId }: Actor, amount: MicroUsd): Promise<void> {
  await Promise.all([
    assertAvailable(ctx.db, { accountId, amount }),
    keyId && assertKeyBudget(ctx.db, { keyId, amount }),
    assertAccountBudget(ctx.db, { accountId, amount }),
    assertStorageQuota(ctx, accountId),
  ]);
}
