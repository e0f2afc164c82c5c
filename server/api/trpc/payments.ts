import Stripe from 'stripe';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, parseUsd } from '../../../models/core/operation/money.ts';
import {
  createCheckout,
  findAutomaticTopUp,
  listPayments,
  stopAutomaticTopUps,
} from '../../money/stripe/index.ts';
import { ownProcedure, router } from './init.ts';
import { checkoutInput } from './inputs.ts';

/** Payments that a page shows: older ones are in the ledger. */
const SHOWN_MAX = 50;

export const paymentsRouter = router({
  /** Opens a checkout, and returns the address of Stripe's page. */
  checkout: ownProcedure('money.change')
    .input(checkoutInput)
    .mutation(async ({ ctx, input }) => {
      const amount = parseUsd(input.amountUsd);
      const { automaticBelowUsd: below, idempotencyKey } = input;
      const order = {
        accountId: ctx.accountId,
        email: ctx.visitor.email,
        amount,
        idempotencyKey,
        returnPath: '/dashboard/top-up' as const,
        ...(below !== undefined && {
          automatic: { payerId: ctx.visitor.userId, threshold: parseUsd(below), amount },
        }),
      };
      const { url } = await createCheckout(ctx.ctx, order).catch((cause: unknown) => {
        if (!(cause instanceof Stripe.errors.StripeError)) throw cause;
        ctx.ctx.log.error({ err: cause }, 'checkout not opened');
        throw new OperationError('unavailable', 'Stripe does not respond. Nothing was charged. Try again.');
      });
      return { url };
    }),
  list: ownProcedure('money.see').query(async ({ ctx: { ctx, accountId } }) => {
    const { payments } = await listPayments(ctx.db, { accountId, limit: SHOWN_MAX });
    return payments.map(({ id, state, due, refunded, disputed, isAutomatic, receiptUrl, createdAt }) => ({
      id,
      state,
      isAutomatic,
      receiptUrl,
      creditUsd: formatUsd(due),
      refundedUsd: refunded > 0n ? formatUsd(refunded) : null,
      disputedUsd: disputed > 0n ? formatUsd(disputed) : null,
      createdAt: createdAt.toISOString(),
    }));
  }),
  automatic: ownProcedure('money.see').query(async ({ ctx: { ctx, accountId } }) => {
    const found = await findAutomaticTopUp(ctx.db, accountId);
    if (!found) return null;
    const { threshold, amount, refusal } = found;
    return { belowUsd: formatUsd(threshold), amountUsd: formatUsd(amount), refusal };
  }),
  stopAutomatic: ownProcedure('money.change').mutation(({ ctx: { ctx, accountId } }) =>
    stopAutomaticTopUps(ctx.db, accountId),
  ),
});
