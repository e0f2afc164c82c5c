import { batchId } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { lowestPrice } from '../../../models/core/operation/lowest-price.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { type Context, getOperations } from '../../base/context/context.ts';
import { assertStorageQuota } from '../../jobs/index.ts';
import { type Actor, assertKeyBudget } from '../../identity/keys/index.ts';
import { hasOwnWorker } from '../../base/queue/index.ts';
import { assertAccountBudget } from '../../money/spending/index.ts';
import { assertAvailable } from '../../money/wallet/index.ts';
import { hasEarlierOutcome } from './idempotency.ts';
import type { Admission, BillableCall } from './respond-idempotently.ts';

/** Body that is read of an account without money: one with its input's URL, of a batch as well. */
const UNPAID_BYTES_MAX = 64_000;

/**
 * Checks, before a byte of a billable request is received or fetched, that the account could pay for the cheapest one
 * and may store more. Where it could not pay, only a body of a short declared length is read, which may leave the job
 * to the account's own machines. A repeated request gets its first response whatever became of the wallet since.
 * @throws OperationError `insufficient_balance` or `too_many_requests`
 */
export async function admitRequest(
  { ctx, request, actor, operation }: BillableCall,
  bodyBytesMax: number,
): Promise<Admission> {
  try {
    await assertCapacity(ctx, actor, lowestPrice([operation]));
    return { bodyBytesMax };
  } catch (thrown) {
    if (await hasEarlierOutcome(ctx.db, actor.accountId, request)) return { bodyBytesMax };
    const declaredBytes = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
    if (!isLackOfMoney(thrown) || declaredBytes > UNPAID_BYTES_MAX) throw thrown;
    await assertStorageQuota(ctx, actor.accountId);
    return { bodyBytesMax: Math.min(bodyBytesMax, UNPAID_BYTES_MAX), refusal: thrown };
  }
}

/** Reports whether an error is about the balance, or a cap of the key or the account. */
function isLackOfMoney(thrown: unknown): thrown is OperationError {
  return thrown instanceof OperationError && thrown.code === 'insufficient_balance';
}

/**
 * Checks, before a byte of an upload is received, that the account could pay for the cheapest use of it and may store
 * more. An account whose own machine is present needs no money: the file may be for a job of that machine. Any program
 * can pass for such a machine, and gains what a wallet of one cent gives: the same bounds hold for both.
 * @throws OperationError `insufficient_balance` or `too_many_requests`
 */
export async function assertUploadAdmitted(ctx: Context, actor: Actor): Promise<void> {
  const all = Object.values(getOperations(ctx));
  const allowed: readonly string[] | null = actor.operations;
  const usable = all.filter(
    ({ id }) => !allowed || [id, batchId(id)].some((model) => allowed.includes(model)),
  );
  const price = actor.isTest ? 0n : lowestPrice(usable);
  await assertCapacity(ctx, actor, price).catch(async (thrown) => {
    if (!isLackOfMoney(thrown)) throw thrown;
    if (!(await hasOwnWorker(ctx.db, actor.accountId))) throw describeLackOfWorker(thrown);
    await assertStorageQuota(ctx, actor.accountId);
  });
}

/** Says how an upload that nobody can pay for may still be accepted. */
function describeLackOfWorker(cause: OperationError): OperationError {
  const advice = 'A file for a job with run_on "own" needs no money once "darkroom worker" runs.';
  return new OperationError(cause.code, `${cause.message} ${advice}`, { cause });
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
