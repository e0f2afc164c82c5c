import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { moment } from './columns.ts';

/** Versions of the saved recipes of accounts. The highest of a name is the one that counts. */
export const presets = pgTable(
  'presets',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    name: text('name').notNull(),
    /** From 1. */
    version: integer('version').notNull(),
    steps: jsonb('steps').$type<readonly object[]>().notNull(),
    outputs: jsonb('outputs').$type<readonly string[]>().notNull(),
    updatedAt: moment('updated_at').notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.name, t.version] })],
);
