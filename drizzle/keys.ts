import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, createdAt, microUsd, moment } from './columns.ts';

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
    /** Key that a token was made by; null for a key. */
    parentId: uuid('parent_id'),
    createdAt: createdAt(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    /** To about a minute; null: never. */
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [
    uniqueIndex('api_keys_sha256').on(t.sha256),
    index('api_keys_account').on(t.accountId),
    index('api_keys_parent').on(t.parentId).where(sql`${t.parentId} is not null`),
  ],
);

/** Spending and holds of a key, by calendar month (UTC), so that its cap needs only one locked row. */
export const keySpending = pgTable(
  'key_spending',
  {
    keyId: uuid('key_id')
      .notNull()
      .references(() => apiKeys.id),
    /** `2026-11`; of a token the month in which it was made */
    month: text('month').notNull(),
    spent: microUsd('spent_micro_usd').notNull().default(sql`0`),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.month] }),
    check('key_spending_not_negative', sql`${t.spent} >= 0`),
  ],
);
