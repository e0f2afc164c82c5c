import { z } from 'zod';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { timeCursor } from '../../base/database/cursor.ts';
import { lockOpenAccount } from '../../base/database/lock-account.ts';
import { rotateWebhookSecret } from '../../identity/accounts/index.ts';
import { addressRules, assertReachableUrl } from '../../io/fetching/index.ts';
import {
  enqueueDelivery,
  listActiveSecrets,
  type listDeliveries,
  listDeliveryPage,
  resendDelivery,
} from '../../io/webhooks/index.ts';
import { buildTestEvent } from '../test-event.ts';
import { assertRate, createBucketId } from '../transport/rate-limit.ts';
import { modeProcedure, ownProcedure, router } from './init.ts';
import { deliveriesInput, deliveryInput, rotateSecretInput, testEventInput } from './inputs.ts';

/** Limit of the look-up of a name. */
const REACH_MS = 15_000;

/** Deliveries that cost nothing: without a limit anybody could have us send requests to others. */
const SENDING_RATE = {
  counts: 'test events and repeated deliveries of this account',
  perSecond: 1 / 30,
  burst: 20,
};

type DeliveryLog = Awaited<ReturnType<typeof listDeliveries>>[number];

export const webhooksRouter = router({
  /** The secrets that sign deliveries now, newest first: two while one is being replaced. */
  secrets: ownProcedure('webhooks.change').query(({ ctx: { ctx, accountId } }) =>
    listActiveSecrets(ctx.db, accountId),
  ),
  rotateSecret: ownProcedure('webhooks.change')
    .input(rotateSecretInput)
    .mutation(({ ctx: { ctx, accountId }, input: { graceHours } }) =>
      ctx.db.transaction((tx) => rotateWebhookSecret(tx, { accountId, graceHours })),
    ),
  deliveries: modeProcedure('webhooks.see')
    .input(deliveriesInput)
    .query(async ({ ctx: { ctx, accountId }, input }) => {
      const after = readDeliveryCursor(input.cursor);
      const { deliveries, next } = await listDeliveryPage(ctx.db, { accountId, after, limit: input.limit });
      return { deliveries: deliveries.map(showDelivery), next: next && timeCursor.pack(next) };
    }),
  resend: modeProcedure('webhooks.change')
    .input(deliveryInput)
    .mutation(async ({ ctx: { ctx, accountId }, input: { deliveryId } }) => {
      await countSending(ctx, accountId);
      return await resendDelivery(ctx, { accountId, deliveryId });
    }),
  /** Sends a signed test event, which looks like a job's and says that it is a test. */
  sendTest: modeProcedure('webhooks.change')
    .input(testEventInput)
    .mutation(async ({ ctx: { ctx, accountId }, input: { url } }) => {
      await countSending(ctx, accountId);
      await assertReceiver(ctx, accountId, url);
      const event = buildTestEvent('completed');
      const [reference, body] = [event.request_id, JSON.stringify(event)];
      await ctx.db.transaction(async (tx) => {
        await lockOpenAccount(tx, accountId);
        await enqueueDelivery(tx, { accountId, reference, url, body });
      });
    }),
});

/** @throws OperationError `too_many_requests` */
async function countSending(ctx: Context, accountId: string): Promise<void> {
  await assertRate(ctx, createBucketId('test-events', accountId), SENDING_RATE);
}

function readDeliveryCursor(text: string | null | undefined) {
  const place = timeCursor.unpack(text);
  if (place && !z.uuid().safeParse(place.id).success) {
    throw fieldError('cursor', 'is not one that this list gave.');
  }
  return place;
}

/** Returns a delivery as its owner sees it. */
export function showDelivery({
  id,
  reference,
  url,
  body,
  state,
  attempts,
  createdAt,
  nextAttemptAt,
}: DeliveryLog) {
  return {
    id,
    reference,
    url,
    body,
    state,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    attempts: attempts.map(({ attempt, at, durationMs, responseStatus, responseBody, error }) => ({
      attempt,
      durationMs,
      responseStatus,
      responseBody,
      error,
      at: at.toISOString(),
    })),
  };
}

/**
 * Checks that a receiver of webhooks may be reached.
 * @throws OperationError naming `url`
 */
export async function assertReceiver(ctx: Context, accountId: string, url: string): Promise<void> {
  const signal = AbortSignal.timeout(REACH_MS);
  await assertReachableUrl(url, { ...addressRules(ctx.env), owner: accountId, signal }).catch(
    (thrown: unknown) => {
      if (!(thrown instanceof OperationError)) throw thrown;
      throw new OperationError(thrown.code, `url: ${thrown.message}`, { cause: thrown });
    },
  );
}
