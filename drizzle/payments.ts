import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { microUsd, moment } from './columns.ts';

const accountId = () =>
  uuid('account_id')
    .notNull()
    .references(() => accounts.id);

/** `pending`: begun, or waiting for a bank; `failed`: no money came, and none will. */
export const paymentState = pgEnum('payment_state', ['pending', 'paid', 'failed']);

/** Payments by card or bank, as the payment provider last described them. */
export const payments = pgTable(
  'payments',
  {
    /** The provider's id of it. */
    id: text('id').primaryKey(),
    accountId: accountId(),
    state: paymentState('state').notNull(),
    /** Paid, less what was refunded, and less what disputes withhold. The wallet is to hold this much of it. */
    due: microUsd('due_micro_usd').notNull(),
    /** Part of `due` that is in the ledger. Above `due` while the wallet holds too little to give back. */
    credited: microUsd('credited_micro_usd').notNull().default(sql`0`),
    /** Number of ledger transfers of this payment: part of their idempotency keys. */
    transferCount: bigint('transfer_count', { mode: 'number' }).notNull().default(0),
    refunded: microUsd('refunded_micro_usd').notNull().default(sql`0`),
    disputed: microUsd('disputed_micro_usd').notNull().default(sql`0`),
    isAutomatic: boolean('is_automatic').notNull().default(false),
    /** The provider's page with the receipt. */
    receiptUrl: text('receipt_url'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    index('payments_account').on(t.accountId, t.createdAt.desc(), t.id.desc()),
    index('payments_unsettled').on(t.accountId).where(sql`${t.due} <> ${t.credited}`),
    check('payments_not_negative', sql`${t.due} >= 0 and ${t.credited} >= 0`),
  ],
);

/** Events of the payment provider that were acted on: each comes once or more. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    receivedAt: moment('received_at').notNull().default(sql`now()`),
  },
  (t) => [index('payment_events_received').on(t.receivedAt)],
);

/** Top-ups without anybody present, when a wallet runs low. */
export const automaticTopUps = pgTable(
  'automatic_top_ups',
  {
    accountId: accountId().primaryKey(),
    /** Below this much available, a top-up is due. */
    threshold: microUsd('threshold_micro_usd').notNull(),
    amount: microUsd('amount_micro_usd').notNull(),
    /** The provider's ids of the payer and the saved payment method; null once the owner has stopped. */
    customerId: text('customer_id'),
    paymentMethodId: text('payment_method_id'),
    /** Person whose method it is; null for one of an earlier version, and once the owner has stopped. */
    payerId: uuid('payer_id'),
    /** When the owner chose this: an older choice that comes later changes nothing. */
    orderedAt: moment('ordered_at').notNull().default(sql`now()`),
    stoppedAt: moment('stopped_at'),
    attemptCount: bigint('attempt_count', { mode: 'number' }).notNull().default(0),
    lastAttemptAt: moment('last_attempt_at'),
    /** Reason of the payment method's refusal: no further attempt until the owner sets it up again. */
    refusal: text('refusal'),
  },
  (t) => [
    check('automatic_top_ups_positive', sql`${t.threshold} > 0 and ${t.amount} > 0`),
    check(
      'automatic_top_ups_method',
      sql`(${t.stoppedAt} is null) = (${t.customerId} is not null and ${t.paymentMethodId} is not null)`,
    ),
  ],
);

/** Payers at the provider that nothing needs any more: they are to be deleted there, with their payment methods. */
export const retiredCustomers = pgTable('retired_customers', {
  customerId: text('customer_id').primaryKey(),
  retryAt: moment('retry_at').notNull().default(sql`now()`),
});
