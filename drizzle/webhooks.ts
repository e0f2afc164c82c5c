import { sql } from 'drizzle-orm';
import { index, integer, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { createdAt, moment } from './columns.ts';

/** Keys that sign webhooks. Two are valid while one is being replaced. */
export const webhookSecrets = pgTable('webhook_secrets', {
  id: uuid('id').primaryKey().defaultRandom(),
  accountId: uuid('account_id')
    .notNull()
    .references(() => accounts.id),
  secret: text('secret').notNull(),
  createdAt: createdAt(),
  expiresAt: moment('expires_at'),
});

export const deliveryState = pgEnum('delivery_state', ['pending', 'delivered', 'failed']);

export const deliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The request_id that the delivery reports on. */
    reference: text('reference').notNull(),
    url: text('url').notNull(),
    /** Fixed when the job ended: every attempt sends the same bytes. */
    body: text('body').notNull(),
    state: deliveryState('state').notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    createdAt: createdAt(),
    nextAttemptAt: moment('next_attempt_at'),
  },
  (t) => [
    index('webhook_deliveries_reference').on(t.reference),
    index('webhook_deliveries_created').on(t.createdAt),
    index('webhook_deliveries_account').on(t.accountId, t.createdAt.desc(), t.id.desc()),
  ],
);

export const deliveryAttempts = pgTable(
  'webhook_delivery_attempts',
  {
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => deliveries.id),
    attempt: integer('attempt').notNull(),
    at: moment('at').notNull().default(sql`now()`),
    durationMs: integer('duration_ms').notNull(),
    /** null without a response. */
    responseStatus: integer('response_status'),
    /** Start of the response, which helps to find the fault. */
    responseBody: text('response_body'),
    error: text('error'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.attempt] })],
);
