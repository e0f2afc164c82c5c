import { and, eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { cutPage, isOlder, newestFirst, type TimeCursor } from '../../base/database/cursor.ts';
import { type Executor, schema } from '../../base/database/db.ts';

type Payment = typeof schema.payments.$inferSelect;

interface PaymentQuery {
  readonly accountId: string;
  readonly after?: TimeCursor | undefined;
  /** 1 to 1000 */
  readonly limit: number;
}

/** Present state of a payment at Stripe. Amounts in millionths of a US dollar. */
export interface PaymentState {
  readonly id: string;
  /** Account that the payment is for; absent when another program made it. */
  readonly accountId: string | undefined;
  readonly state: 'pending' | 'paid' | 'failed';
  /** Received, less refunds, and less what disputes withhold. */
  readonly due: MicroUsd;
  readonly refunded: MicroUsd;
  readonly disputed: MicroUsd;
  readonly isAutomatic: boolean;
  readonly receiptUrl: string | null;
  readonly createdAt: Date;
  readonly saved: SavedMethod | undefined;
}

/** Payment method that the payer saved for automatic top-ups, and their terms. */
export interface SavedMethod {
  readonly customerId: string;
  readonly paymentMethodId: string;
  /** Person who saved it; null where an earlier version opened the checkout. */
  readonly payerId: string | null;
  readonly threshold: MicroUsd;
  readonly amount: MicroUsd;
  /** When the owner chose this. */
  readonly orderedAt: Date;
}

/** Names of what our payments carry with them at Stripe. */
export const METADATA = {
  accountId: 'darkroom_account',
  isAutomatic: 'darkroom_automatic',
  payerId: 'darkroom_payer',
  threshold: 'darkroom_threshold_micro_usd',
  amount: 'darkroom_amount_micro_usd',
} as const;

/** Stripe counts cents. */
const MICRO_USD_PER_CENT = 10_000n;

/**
 * Disputes in these states have taken the money back from us. Inquiries (`warning_…`) have not, and `won` returned it.
 */
const WITHHELD_DISPUTE_STATES: ReadonlySet<string> = new Set([
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'lost',
]);

/**
 * Asks Stripe for the present state of a payment. The order in which its events come thus does not matter.
 * @throws Stripe.errors.StripeError when Stripe does not respond, or does not know the payment
 */
export async function fetchPayment(stripe: Stripe, id: string): Promise<PaymentState> {
  const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const received = charge?.status === 'succeeded' && intent.currency === 'usd' ? charge.amount_captured : 0;
  const refunded = received > 0 ? (charge?.amount_refunded ?? 0) : 0;
  const disputed = received > 0 && charge?.disputed ? await getWithheld(stripe, id) : 0;
  const { metadata } = intent;
  return {
    id,
    accountId: metadata[METADATA.accountId],
    state: received > 0 ? 'paid' : intent.status === 'canceled' ? 'failed' : getState(charge),
    due: microUsd(Math.max(0, received - refunded - disputed)),
    refunded: microUsd(refunded),
    disputed: microUsd(disputed),
    isAutomatic: metadata[METADATA.isAutomatic] === 'true',
    receiptUrl: charge?.receipt_url ?? null,
    createdAt: new Date(intent.created * 1000),
    saved: received > 0 ? await getSaved(stripe, intent) : undefined,
  };
}

function getState(charge: Stripe.Charge | null): 'pending' | 'failed' {
  return charge?.status === 'failed' ? 'failed' : 'pending';
}

async function getWithheld(stripe: Stripe, paymentId: string): Promise<number> {
  let cents = 0;
  for await (const { status, amount } of stripe.disputes.list({ payment_intent: paymentId, limit: 100 })) {
    if (WITHHELD_DISPUTE_STATES.has(status)) cents += amount;
  }
  return cents;
}

async function getSaved(
  stripe: Stripe,
  { id, customer, payment_method, metadata, created }: Stripe.PaymentIntent,
): Promise<SavedMethod | undefined> {
  const [threshold, amount] = [metadata[METADATA.threshold], metadata[METADATA.amount]];
  if (typeof customer !== 'string' || typeof payment_method !== 'string' || !threshold || !amount) return;
  // A payment begins when its owner pays, and the choice was made when the checkout was opened.
  const { data } = await stripe.checkout.sessions.list({ payment_intent: id, limit: 1 });
  return {
    customerId: customer,
    paymentMethodId: payment_method,
    payerId: z.uuid().safeParse(metadata[METADATA.payerId]).data ?? null,
    threshold: BigInt(threshold),
    amount: BigInt(amount),
    orderedAt: new Date((data[0]?.created ?? created) * 1000),
  };
}

function microUsd(cents: number): MicroUsd {
  return BigInt(cents) * MICRO_USD_PER_CENT;
}

/** Returns cents, as Stripe counts. @throws RangeError for an amount that is no whole number of cents */
export function toCents(amount: MicroUsd): number {
  if (amount % MICRO_USD_PER_CENT !== 0n) throw new RangeError('The amount must be a whole number of cents.');
  return Number(amount / MICRO_USD_PER_CENT);
}

/**
 * Lists an account's payments, newest first, by keyset.
 * @returns `next`, where the following page starts; null after the last one
 */
export async function listPayments(
  db: Executor,
  { accountId, after, limit }: PaymentQuery,
): Promise<{ payments: Payment[]; next: TimeCursor | null }> {
  const { payments } = schema;
  const rows = await db
    .select()
    .from(payments)
    .where(and(eq(payments.accountId, accountId), isOlder(payments, after)))
    .orderBy(...newestFirst(payments))
    .limit(limit + 1);
  const { page, next } = cutPage(rows, limit, ({ id }) => id);
  return { payments: page, next };
}
