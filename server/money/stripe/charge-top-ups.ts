import { eq, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { Context } from '../../base/context.ts';
import { schema } from '../../base/database/db.ts';
import { payerIsMember } from './automatic-top-up.ts';
import { getStripe } from './client.ts';
import { METADATA, toCents } from './payment-state.ts';
import { syncPayment } from './sync-payment.ts';

/** Pause after an attempt: the payment needs a moment to reach the wallet. */
const PAUSE_MINUTES = 10;
/** A stolen key must not empty a bank account. */
const PER_DAY_MAX = 5;
const TOP_UPS_MAX = 20;

interface DueTopUp extends Record<string, unknown> {
  readonly accountId: string;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly amount: string;
  readonly attemptCount: string;
}

/**
 * Charges the saved payment methods of accounts whose wallets run low. A method that is refused is not tried again
 * until its owner sets it up again.
 * @returns the number of attempts
 */
export async function chargeAutomaticTopUps(ctx: Context): Promise<number> {
  const due = await claimDueTopUps(ctx);
  for (const each of due) {
    try {
      await charge(ctx, each);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeCardError)
        await recordRefusal(ctx, each.accountId, error.message);
      else {
        ctx.log.error({ err: error, accountId: each.accountId }, 'automatic top-up failed');
        if (!(error instanceof Stripe.errors.StripeIdempotencyError)) await repeat(ctx, each.accountId);
      }
    }
  }
  return due.length;
}

/** Marks the top-ups that are due as attempted, so that no other process makes the same ones. */
async function claimDueTopUps({ db }: Context): Promise<readonly DueTopUp[]> {
  return await db.execute<DueTopUp>(sql`
    update automatic_top_ups set attempt_count = attempt_count + 1, last_attempt_at = now()
    where account_id in (
      select automatic.account_id from automatic_top_ups automatic
        join ledger_accounts wallet on wallet.owner_id = automatic.account_id
      where refusal is null and stopped_at is null and balance_micro_usd - held_micro_usd < threshold_micro_usd
        and (last_attempt_at is null or last_attempt_at < now() - make_interval(mins => ${PAUSE_MINUTES}))
        and not exists (select from payments
          where payments.account_id = automatic.account_id and is_automatic and state = 'pending')
        and exists (select from memberships where memberships.account_id = automatic.account_id)
        and ${payerIsMember()}
        and (select count(*) from payments
             where payments.account_id = automatic.account_id and is_automatic
               and created_at > now() - interval '1 day') < ${PER_DAY_MAX}
      limit ${TOP_UPS_MAX} for update of automatic skip locked
    )
    returning account_id as "accountId", customer_id as "customerId", payment_method_id as "paymentMethodId",
      amount_micro_usd::text as amount, attempt_count::text as "attemptCount"`);
}

async function charge(ctx: Context, due: DueTopUp): Promise<void> {
  const { accountId, customerId, paymentMethodId, attemptCount } = due;
  const amount: MicroUsd = BigInt(due.amount);
  const { id } = await getStripe(ctx.env).paymentIntents.create(
    {
      amount: toCents(amount),
      currency: 'usd',
      customer: customerId,
      payment_method: paymentMethodId,
      off_session: true,
      confirm: true,
      metadata: { [METADATA.accountId]: accountId, [METADATA.isAutomatic]: 'true' },
    },
    { idempotencyKey: `automatic ${accountId} ${paymentMethodId} ${attemptCount}` },
  );
  await syncPayment(ctx, id);
}

/** Has the next attempt use the same idempotency key: whether this one has charged is not known. */
async function repeat({ db }: Context, accountId: string): Promise<void> {
  const { automaticTopUps } = schema;
  const attemptCount = sql`${automaticTopUps.attemptCount} - 1`;
  await db.update(automaticTopUps).set({ attemptCount }).where(eq(automaticTopUps.accountId, accountId));
}

async function recordRefusal({ db, log }: Context, accountId: string, reason: string): Promise<void> {
  const { automaticTopUps } = schema;
  await db.update(automaticTopUps).set({ refusal: reason }).where(eq(automaticTopUps.accountId, accountId));
  log.warn({ accountId, reason }, 'automatic top-up refused');
}
