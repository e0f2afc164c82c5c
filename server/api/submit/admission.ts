import { batchId } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { lowestPrice } from '../../../models/core/operation/operation-price.ts';
import { readPlace } from '../../../models/core/operation/run-place.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { assertDiskNotFull } from '../../base/disk-reserve.ts';
import { hasOwnWorker } from '../../base/queue/index.ts';
import { type Actor, assertPermission } from '../../identity/keys/index.ts';
import { assertStorageQuota } from '../../jobs/index.ts';
import { assertSpendable } from '../../money/spending/index.ts';
import type { BodyAllowance } from '../transport/process-limits.ts';
import { getBodyBytesMax, parseJsonObject, readBody } from '../transport/read-request.ts';
import type { BillableCall } from './billable-call.ts';
import { hasEarlierOutcome } from './idempotency.ts';

/** Body that is read of an account without money: one with its input's URL, of a batch as well. */
const UNPAID_BYTES_MAX = 64_000;

/** Bounds on the body of a billable request whose sender may be short of money. */
export interface Admission {
  readonly bodyBytesMax: number;
  /** Error of every request but one that costs nothing, since self-hosted workers run it. */
  readonly refusal?: OperationError;
}

/**
 * Checks that a model is enabled and the key may use it.
 * @throws OperationError `model_not_found` when the model is disabled, `forbidden` when the key lacks the operation
 */
export function assertAllowed({
  ctx,
  actor,
  operation,
  modelId,
}: Pick<BillableCall, 'ctx' | 'actor' | 'operation' | 'modelId'>): void {
  if (ctx.env.DISABLED_MODELS.some((disabled) => disabled === modelId)) {
    throw new OperationError('model_not_found', `Model '${modelId}' not found or disabled`, {
      field: 'model',
    });
  }
  // A composition needs what its parts need.
  if (!operation.isComposite) assertPermission(actor, modelId);
}

/**
 * Checks that the operations of which a request consists are enabled, and that the key may use them.
 * @throws OperationError as `assertAllowed`, naming the part
 */
export function assertPartsAllowed(
  { ctx, actor, operation }: Pick<BillableCall, 'ctx' | 'actor' | 'operation'>,
  params: unknown,
): void {
  for (const part of operation.parts(params)) {
    try {
      assertAllowed({ ctx, actor, operation: part.operation, modelId: part.operation.id });
    } catch (thrown) {
      if (!(thrown instanceof OperationError)) throw thrown;
      const field = part.path.replace(/params$/, 'operation');
      throw new OperationError(thrown.code, thrown.message, { field, cause: thrown });
    }
  }
}

/**
 * Checks, before a byte of a billable request is received or fetched, that the account could pay for the cheapest one
 * and may store more. Where it could not pay, only a body of a short declared length is read, which may leave the job
 * to self-hosted workers. A repeated request gets its first response whatever became of the wallet since.
 * @throws OperationError `insufficient_balance` or `too_many_requests`; OutageError when the disk is full
 */
export async function admitRequest({ ctx, request, actor, operation }: BillableCall): Promise<Admission> {
  await assertDiskNotFull(ctx.env);
  // All items of a batch together have the size limit of a single request.
  const bodyBytesMax = getBodyBytesMax(operation);
  try {
    await assertCapacity(ctx, actor, lowestPrice([operation]));
    return { bodyBytesMax };
  } catch (thrown) {
    if (await hasEarlierOutcome(ctx.db, actor, request)) return { bodyBytesMax };
    const declaredBytes = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
    if (!isInsufficientBalance(thrown) || declaredBytes > UNPAID_BYTES_MAX) throw thrown;
    await assertStorageQuota(ctx, actor.accountId);
    return { bodyBytesMax: Math.min(bodyBytesMax, UNPAID_BYTES_MAX), refusal: thrown };
  }
}

/**
 * Receives a body, of which one without the money for it must leave its job to self-hosted workers.
 * @throws OperationError the refusal of any other body; `bad_request` for a place that does not exist
 */
export async function receiveBody(
  request: Request,
  { bodyBytesMax, refusal }: Admission,
  room: BodyAllowance,
): Promise<string> {
  const reading = readBody(request, bodyBytesMax, room);
  if (!refusal) return await reading;
  const body = await reading.catch(() => Promise.reject(refusal));
  const asked = await Promise.resolve(body)
    .then(parseJsonObject)
    .catch(() => ({}));
  if (readPlace(asked) !== 'own') throw refusal;
  return body;
}

/** Reports whether an error is about the balance, or a cap of the key or the account. */
function isInsufficientBalance(thrown: unknown): thrown is OperationError {
  return thrown instanceof OperationError && thrown.code === 'insufficient_balance';
}

/**
 * Checks, before a byte of an upload is received, that the account could pay for the cheapest use of it and may store
 * more. An account whose self-hosted worker is present needs no money: the file may be for a job of that worker. Any program
 * can pass for such a worker, and gains what a wallet of one cent gives: the same bounds hold for both.
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
    if (!isInsufficientBalance(thrown)) throw thrown;
    if (!(await hasOwnWorker(ctx.db, actor.accountId))) throw explainMissingWorker(thrown);
    await assertStorageQuota(ctx, actor.accountId);
  });
}

/** Says how an upload that the account cannot pay for may still be accepted. */
function explainMissingWorker(cause: OperationError): OperationError {
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

async function assertCapacity(
  ctx: Context,
  { accountId, keyId, tokenId }: Actor,
  amount: MicroUsd,
): Promise<void> {
  await Promise.all([
    assertSpendable(ctx.db, { accountId, tokenId, amount, ...(keyId && { keyId }) }),
    assertStorageQuota(ctx, accountId),
  ]);
}
