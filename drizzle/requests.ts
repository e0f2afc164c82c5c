import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, real, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, createdAt, moment } from './columns.ts';

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    key: text('key').notNull(),
    /** SHA-256 over what the request asks for, its files by their bytes where those are known without a fetch. */
    fingerprint: bytea('fingerprint').notNull(),
    /** The same with all files by their bytes, once they were fetched; null before. */
    contentFingerprint: bytea('content_fingerprint'),
    /** End of the lease of the request that is responding, which renews it while it lives. */
    lockedUntil: moment('locked_until').notNull(),
    /** Request that holds the key: fences one that another has replaced. null for those of earlier versions. */
    holder: uuid('holder'),
    /** Job of the request, while its response waits for the job's end. */
    jobId: text('job_id'),
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.key] }), index('idempotency_keys_created').on(t.createdAt)],
);

/** Token buckets. The migration makes the table UNLOGGED: it may be lost, it must be fast. */
export const rateLimits = pgTable('rate_limits', {
  keyId: uuid('key_id').primaryKey(),
  tokens: real('tokens').notNull(),
  updatedAt: moment('updated_at').notNull().default(sql`now()`),
});

/**
 * Work of each account that failed by its inputs and thus cost nothing. Decays by the hour. The migration makes the
 * table UNLOGGED: it may be lost, it must be fast.
 */
export const failureBudgets = pgTable('failure_budgets', {
  accountId: uuid('account_id').primaryKey(),
  spent: real('spent').notNull(),
  updatedAt: moment('updated_at').notNull().default(sql`now()`),
});
