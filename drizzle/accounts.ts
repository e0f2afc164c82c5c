import { sql } from 'drizzle-orm';
import { type AnyPgColumn, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAt, microUsd, moment } from './columns.ts';

export const accounts = pgTable(
  'accounts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    email: text('email').notNull(),
    /** Account whose sandbox it is: jobs, uploads and keys for tests, without money. null for any other. */
    sandboxOf: uuid('sandbox_of').references((): AnyPgColumn => accounts.id),
    /** Most that all its keys together may spend in a calendar month (UTC); null: no limit. */
    monthlyCap: microUsd('monthly_cap_micro_usd'),
    /** URL that receives events of the account, in addition to those of jobs; null: none. */
    eventUrl: text('event_url'),
    createdAt: createdAt(),
    /** From here on it is a nameless owner of ledger entries: nothing new may belong to it. */
    deletedAt: moment('deleted_at'),
  },
  (t) => [
    uniqueIndex('accounts_email').on(sql`lower(${t.email})`),
    uniqueIndex('accounts_sandbox').on(t.sandboxOf),
  ],
);
