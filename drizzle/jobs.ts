import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  real,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, createdAt, microUsd, moment } from './columns.ts';
import { apiKeys } from './keys.ts';

export const jobStatus = pgEnum('job_status', ['QUEUED', 'PROCESSING', 'COMPLETED', 'FAILED', 'ERROR']);

/** Warning of a run, as the operations make it. */
interface StoredWarning {
  readonly kind: string;
  readonly names: readonly string[];
  readonly message: string;
}

/** File of weights. */
interface StoredWeights {
  readonly id: string;
  /** In hex. */
  readonly sha256: string;
}

/** Earlier result of a run. */
interface StoredCachedResult {
  readonly outcome: Readonly<Record<string, unknown>>;
  /** Keys of its files, in order. */
  readonly fileKeys: readonly string[];
}

/** Delivery of one file to the client's own bucket. */
interface StoredOutputDelivery {
  /** With its signature until the job has ended, and without from then on. */
  readonly url: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

export const jobs = pgTable(
  'jobs',
  {
    /** The request_id. */
    id: text('id').primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    keyId: uuid('key_id').references(() => apiKeys.id),
    /** Token of the key that sent it; null where the key itself did. */
    tokenId: uuid('token_id'),
    operationId: text('operation_id').notNull(),
    /** Whether a test key sent it: it costs nothing, and its result is made up. */
    isTest: boolean('is_test').notNull().default(false),
    /** Place of the run: the service's runners, or a worker of the account's own, which costs nothing. */
    runOn: text('run_on').$type<'service' | 'own'>().notNull().default('service'),
    /** Name of the account's own worker that has claimed it last; null where none has. */
    worker: text('worker'),
    params: jsonb('params').$type<Record<string, unknown>>().notNull(),
    facts: jsonb('facts').$type<Record<string, unknown>>().notNull(),
    status: jobStatus('status').notNull().default('QUEUED'),
    /** Claims so far: fences an attempt that a later one has replaced. */
    attempt: integer('attempt').notNull().default(0),
    /** Attempts that do not count, since an outage or an orderly stop ended them. */
    uncountedAttempts: integer('excused').notNull().default(0),
    progress: real('progress').notNull().default(0),
    held: microUsd('held_micro_usd').notNull(),
    charged: microUsd('charged_micro_usd').notNull().default(sql`0`),
    error: text('error'),
    /** Kind of the failure; null for jobs of earlier versions. */
    errorCode: text('error_code'),
    /** Field of the request that the failure is about. */
    errorField: text('error_field'),
    /** Warnings of the run, each `{ kind, names, message }`; the message alone in jobs of earlier versions. */
    warnings: jsonb('warnings').$type<readonly (StoredWarning | string)[]>().notNull().default([]),
    engine: text('engine'),
    /** Files of weights that the run used. */
    weights: jsonb('weights').$type<readonly StoredWeights[]>().notNull().default([]),
    /** Findings and duration of the run. */
    details: jsonb('details').$type<Record<string, unknown>>(),
    /** Earlier result that this job delivers again in place of a run; null for any other job. */
    cachedResult: jsonb('cached_result').$type<StoredCachedResult>(),
    /** Deliveries to the client's own bucket, one for each file; none without. */
    outputDeliveries: jsonb('output_deliveries')
      .$type<readonly StoredOutputDelivery[]>()
      .notNull()
      .default([]),
    /** Whether the service keeps the files of the result itself. */
    isStored: boolean('is_stored').notNull().default(true),
    /** Signed statement of what was done; null before the end, and for jobs of earlier versions. */
    receipt: text('receipt'),
    /** SHA-256 of everything the result depends on; null where results are not cached. */
    cacheKey: bytea('cache_key'),
    /** Lifetime of its result that the request asks for; null: that of the service. */
    resultTtlHours: real('result_ttl_hours'),
    webhookUrl: text('webhook_url'),
    /** The client's own name of the job. */
    reference: text('reference'),
    /** The client's own data about the job. */
    metadata: jsonb('metadata').$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** Span that accepted it, as a W3C traceparent; null without tracing. */
    traceparent: text('traceparent'),
    /** Calls of an agent whose spending limit it counts for; null without a limit. */
    spendingSession: uuid('spending_session'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().default(sql`now()`),
    /** Time from which no request waits for the result: the job ends in ERROR. null: no such time. */
    deadlineAt: moment('deadline_at'),
    startedAt: moment('started_at'),
    completedAt: moment('completed_at'),
    /** Time when its account deleted its result; null where it did not. */
    deletedAt: moment('deleted_at'),
  },
  (t) => [
    index('jobs_account').on(t.accountId, t.createdAt.desc(), t.id.desc()),
    index('jobs_account_status').on(t.accountId, t.status, t.createdAt.desc(), t.id.desc()),
    index('jobs_created').on(t.createdAt),
    index('jobs_cached').on(t.accountId, t.cacheKey).where(sql`${t.cacheKey} is not null`),
    index('jobs_failed').on(t.completedAt).where(sql`${t.status} in ('FAILED', 'ERROR')`),
    index('jobs_unfinished').on(t.status, t.createdAt).where(sql`${t.status} in ('QUEUED', 'PROCESSING')`),
    index('jobs_spending_session').on(t.spendingSession).where(sql`${t.spendingSession} is not null`),
    index('jobs_reference')
      .on(t.accountId, t.reference, t.createdAt.desc(), t.id.desc())
      .where(sql`${t.reference} is not null`),
    index('jobs_metadata')
      .using('gin', t.metadata.op('jsonb_path_ops'))
      .where(sql`${t.metadata} <> '{}'::jsonb`),
    index('jobs_deadline')
      .on(t.deadlineAt)
      .where(sql`${t.deadlineAt} is not null and ${t.status} in ('QUEUED', 'PROCESSING')`),
    check(
      'jobs_error_when_ended_badly',
      sql`(${t.status} in ('FAILED', 'ERROR')) = (${t.error} is not null)`,
    ),
    check('jobs_charge_only_completed', sql`${t.charged} = 0 or ${t.status} = 'COMPLETED'`),
  ],
);
