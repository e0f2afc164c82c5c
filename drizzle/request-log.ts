import { bigint, index, integer, json, pgTable, real, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { moment } from './columns.ts';

/** Requests to the API by keys and sessions of accounts, for the accounts themselves to look at. */
export const loggedRequests = pgTable(
  'logged_requests',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The account's sandbox for a test key. */
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Key of the request; null for a session. Keys are never deleted. */
    keyId: uuid('key_id'),
    /** When the request came. */
    createdAt: moment('created_at').notNull(),
    method: text('method').notNull(),
    /** Path and query, without what gives access. */
    path: text('path').notNull(),
    status: integer('status').notNull(),
    /** `X-Request-Id` of the response. */
    requestId: text('request_id').notNull(),
    jobId: text('job_id'),
    /** `model_id` of the operation that was asked for. */
    operationId: text('operation_id'),
    /** Until the response began. */
    durationMs: real('duration_ms').notNull(),
    address: text('address'),
    userAgent: text('user_agent'),
    idempotencyKey: text('idempotency_key'),
    /** JSON of the request in short, without files and secrets, its members in their order. */
    body: json('body'),
    /** JSON of a response without success. */
    problem: json('problem'),
  },
  (t) => [
    index('logged_requests_account').on(t.accountId, t.createdAt.desc(), t.id.desc()),
    index('logged_requests_created').on(t.createdAt),
  ],
);
