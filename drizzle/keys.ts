import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, createdAt, microUsd, moment } from './columns.ts';
import { users } from './users.ts';

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    name: text('name').notNull(),
    /** The part that may be shown for life: `mk_` or `mk_test_`, and 8 characters. */
    prefix: text('prefix').notNull(),
    sha256: bytea('sha256').notNull(),
    /** null: every operation. */
    operations: text('operations').array(),
    /** Other things that it may do than the operations; null: what any key may. */
    permissions: text('permissions').array(),
    monthlyCap: microUsd('monthly_cap_micro_usd'),
    /** Id of the key that it has replaced; null where it has replaced none. */
    rotatedFrom: uuid('rotated_from'),
    /** Person who made it in the dashboard; null for a key of a command or of earlier versions, and once the person is gone. */
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    /** To about a minute; null: never. */
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [uniqueIndex('api_keys_sha256').on(t.sha256), index('api_keys_account').on(t.accountId)],
);

/** Short-lived keys that a key has made, for programs that must not have it: pages, above all. */
export const tokens = pgTable(
  'tokens',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    keyId: uuid('key_id')
      .notNull()
      .references(() => apiKeys.id),
    sha256: bytea('sha256').notNull(),
    /** null: every operation of the key. */
    operations: text('operations').array(),
    max: microUsd('max_micro_usd').notNull(),
    /** Spent or held. */
    spent: microUsd('spent_micro_usd').notNull().default(sql`0`),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
  },
  (t) => [
    uniqueIndex('tokens_sha256').on(t.sha256),
    index('tokens_key').on(t.keyId, t.expiresAt),
    check('tokens_spent_within_max', sql`${t.spent} between 0 and ${t.max}`),
  ],
);

/** Spending and holds of a key, by calendar month (UTC), so that its cap needs only one locked row. */
export const keySpending = pgTable(
  'key_spending',
  {
    keyId: uuid('key_id')
      .notNull()
      .references(() => apiKeys.id),
    /** `2026-11` */
    month: text('month').notNull(),
    spent: microUsd('spent_micro_usd').notNull().default(sql`0`),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.month] }),
    check('key_spending_not_negative', sql`${t.spent} >= 0`),
  ],
);
