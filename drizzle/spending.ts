import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { microUsd, moment } from './columns.ts';

/** Spending of an account by calendar month (UTC), so that its cap needs only one locked row. */
export const accountSpending = pgTable(
  'account_spending',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    /** `2026-11`: month in which the jobs were accepted. */
    month: text('month').notNull(),
    /** Spent or held. */
    reserved: microUsd('reserved_micro_usd').notNull().default(sql`0`),
    /** Spent. */
    charged: microUsd('charged_micro_usd').notNull().default(sql`0`),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.month] }),
    check('account_spending_not_negative', sql`${t.charged} >= 0 and ${t.reserved} >= ${t.charged}`),
  ],
);

/** Alerts about spending, each given once. */
export const spendingAlerts = pgTable(
  'spending_alerts',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    /** `2026-11` */
    month: text('month').notNull(),
    /** Percentage of the cap. */
    share: integer('share').notNull(),
    spent: microUsd('spent_micro_usd').notNull(),
    cap: microUsd('cap_micro_usd').notNull(),
    createdAt: moment('created_at').notNull().default(sql`now()`),
    /** When its mail was sent; null: not yet. */
    mailedAt: moment('mailed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.month, t.share] }),
    index('spending_alerts_unmailed').on(t.createdAt).where(sql`${t.mailedAt} is null`),
  ],
);
