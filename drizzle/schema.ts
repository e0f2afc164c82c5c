import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const xid8 = customType<{ data: bigint; driverData: string }>({ dataType: () => 'xid8', fromDriver: BigInt });
const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
const microUsd = (name: string) => bigint(name, { mode: 'bigint' });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const createdAt = () => moment('created_at').notNull().default(sql`now()`);

// --- accounts and keys -------------------------------------------------------------------------------------------

export const accounts = pgTable(
  'accounts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    email: text('email').notNull(),
    /** Account whose sandbox it is: jobs, uploads and keys for tests, without money. null for any other. */
    sandboxOf: uuid('sandbox_of').references((): AnyPgColumn => accounts.id),
    /** Most that all its keys together may spend in a calendar month (UTC); null: no limit. */
    monthlyCap: microUsd('monthly_cap_micro_usd'),
    /** URL that receives events of the account, beside those of jobs; null: none. */
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

/** Keys that sign receipts. The newest signs; the public halves of all of them stay published. */
export const receiptKeys = pgTable('receipt_keys', {
  /** Thumbprint of the public key: `kid` of what it signs. */
  kid: text('kid').primaryKey(),
  /** Seed of the Ed25519 key pair, 32 bytes. */
  secret: bytea('secret').notNull(),
  createdAt: createdAt(),
});

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
    monthlyCap: microUsd('monthly_cap_micro_usd'),
    createdAt: createdAt(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    /** To about a minute; null: never. */
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [uniqueIndex('api_keys_sha256').on(t.sha256), index('api_keys_account').on(t.accountId)],
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

// --- wallet: double entry, append only (the triggers stand in the migration) ----------------------------------------

export const ledgerAccountKind = pgEnum('ledger_account_kind', ['wallet', 'funding', 'revenue']);

/**
 * Ledger accounts. Wallets belong to an account; `funding` and `revenue` are the house's own two. Triggers maintain a
 * wallet's balance from the entries and `held` from the holds; nothing else can write them. The house's accounts have
 * no balance column, so that no row is hot for all (sum the entries). For the same reason entries and holds reference
 * these rows, which are never deleted, without a foreign key, which would lock them: the triggers check that they
 * exist.
 */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    kind: ledgerAccountKind('kind').notNull(),
    ownerId: uuid('owner_id'),
    balance: microUsd('balance_micro_usd').notNull().default(sql`0`),
    held: microUsd('held_micro_usd').notNull().default(sql`0`),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('ledger_accounts_owner').on(t.ownerId),
    uniqueIndex('ledger_accounts_house').on(t.kind).where(sql`${t.ownerId} is null`),
    check('ledger_accounts_wallet_owned', sql`(${t.kind} = 'wallet') = (${t.ownerId} is not null)`),
    check('ledger_accounts_no_overdraft', sql`${t.held} >= 0 and ${t.held} <= ${t.balance}`),
  ],
);

export const transferKind = pgEnum('transfer_kind', ['top_up', 'capture', 'adjustment', 'free_credit']);

/** A movement of money: two or more entries that sum to zero, written in one transaction, for ever. */
export const transfers = pgTable('transfers', {
  id: uuid('id').primaryKey().defaultRandom(),
  kind: transferKind('kind').notNull(),
  /** Prevents booking the same movement twice. */
  idempotencyKey: text('idempotency_key').notNull().unique(),
  /** Purpose, as the caller names it: a request_id, a Stripe event id. */
  reference: text('reference').notNull(),
  /** The database transaction that wrote it: no later one may add an entry. */
  writtenIn: xid8('written_in').notNull().default(sql`pg_current_xact_id()`),
  createdAt: createdAt(),
});

export const entries = pgTable(
  'entries',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => transfers.id),
    ledgerAccountId: uuid('ledger_account_id').notNull(),
    amount: microUsd('amount_micro_usd').notNull(),
    /** In a wallet, what a charge was for: the id of an operation. null for any other entry. */
    category: text('category'),
  },
  (t) => [
    index('entries_transfer').on(t.transferId),
    index('entries_ledger_account').on(t.ledgerAccountId, t.id.desc()),
    index('entries_credits').on(t.ledgerAccountId, t.id.desc()).where(sql`${t.amount} > 0`),
    index('entries_category')
      .on(t.ledgerAccountId, t.category, t.id.desc())
      .where(sql`${t.category} is not null`),
    check('entries_not_zero', sql`${t.amount} <> 0`),
  ],
);

export const holdState = pgEnum('hold_state', ['open', 'captured', 'released']);

export const holds = pgTable(
  'holds',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    ledgerAccountId: uuid('ledger_account_id').notNull(),
    amount: microUsd('amount_micro_usd').notNull(),
    state: holdState('state').notNull().default('open'),
    reference: text('reference').notNull().unique(),
    /** The capture, once there is one. */
    transferId: uuid('transfer_id')
      .unique()
      .references(() => transfers.id),
    createdAt: createdAt(),
    settledAt: moment('settled_at'),
  },
  (t) => [
    index('holds_open').on(t.ledgerAccountId).where(sql`${t.state} = 'open'`),
    check('holds_positive', sql`${t.amount} > 0`),
    check('holds_settled_when_not_open', sql`(${t.state} = 'open') = (${t.settledAt} is null)`),
    check('holds_captured_by_transfer', sql`(${t.state} = 'captured') = (${t.transferId} is not null)`),
  ],
);

// --- jobs ----------------------------------------------------------------------------------------------------------

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
    excused: integer('excused').notNull().default(0),
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
    /** From here on nobody waits for the result: the job ends in ERROR. null: no such moment. */
    deadlineAt: moment('deadline_at'),
    startedAt: moment('started_at'),
    completedAt: moment('completed_at'),
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

export const fileRole = pgEnum('file_role', ['input', 'output', 'attachment']);

/** Objects in storage that belong to a job. Gone from storage once `deletedAt` is set. */
export const files = pgTable(
  'files',
  {
    key: text('key').primaryKey(),
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id),
    role: fileRole('role').notNull(),
    /** Order within the job and role. */
    position: integer('position').notNull(),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    sha256: bytea('sha256').notNull(),
    /** URL that the file was fetched from: with it the job can run again. null for any other file. */
    sourceUrl: text('source_url'),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
    deletedAt: moment('deleted_at'),
  },
  (t) => [
    uniqueIndex('files_job').on(t.jobId, t.role, t.position),
    index('files_expiring').on(t.expiresAt).where(sql`${t.deletedAt} is null`),
  ],
);

/**
 * Outcomes of batch items, each recorded as soon as it is known, so that a dying runner loses only its current items.
 */
export const batchItems = pgTable(
  'batch_items',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id),
    position: integer('position').notNull(),
    outcome: jsonb('outcome').$type<Record<string, unknown>>().notNull(),
    /** For a success: the item's own first file, or that of an earlier job with the same result. */
    fileKey: text('file_key').references(() => files.key),
    /** Keys of the item's other files, of the same job as its first. */
    furtherFileKeys: text('further_file_keys').array().notNull().default([]),
    /** As in a job; null where the result came from an earlier job. */
    cacheKey: bytea('cache_key'),
  },
  (t) => [
    primaryKey({ columns: [t.jobId, t.position] }),
    index('batch_items_file').on(t.fileKey).where(sql`${t.fileKey} is not null`),
    index('batch_items_cached').on(t.cacheKey).where(sql`${t.cacheKey} is not null`),
  ],
);

// --- the queue of jobs and deliveries ----------------------------------------------------------------------------

/**
 * Jobs and webhook deliveries that wait for a runner, or that one has taken. Removed in the transaction that ends
 * them.
 */
export const queueEntries = pgTable(
  'queue_entries',
  {
    /** The id of the job or delivery. */
    id: text('id').primaryKey(),
    /** Lane of a run, `output` or `delivery`. Accounts take turns within a lane. */
    lane: text('lane').notNull(),
    accountId: uuid('account_id').notNull(),
    /** Receiving host of a delivery. */
    host: text('host'),
    /** Order of entries that are due at the same time. */
    position: bigint('position', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    /** Earliest start. In microseconds: rounded up, it would lie after the transaction that writes it. */
    runAt: timestamp('run_at', { withTimezone: true, mode: 'date' }).notNull().default(sql`now()`),
    /** Failed attempts: the pause after each grows. */
    failures: integer('failures').notNull().default(0),
    /** The worker of a runner that works on the entry, or the claim of an account's own worker. */
    lockedBy: text('locked_by'),
    /** End of the lease of an account's own worker; null for a runner, whose connection is its lease. */
    leasedUntil: timestamp('leased_until', { withTimezone: true, mode: 'date' }),
    claimedAt: timestamp('claimed_at', { withTimezone: true, mode: 'date' }),
    /** Time for which workers had the entry before: it is no time of waiting. */
    workedSeconds: real('worked_seconds').notNull().default(0),
  },
  (t) => [
    index('queue_entries_waiting')
      .on(t.lane, t.accountId, t.runAt, t.position)
      .where(sql`${t.lockedBy} is null`),
    index('queue_entries_taken').on(t.lane, t.accountId).where(sql`${t.lockedBy} is not null`),
  ],
);

/** When each account last had its turn in a lane. */
export const queueTurns = pgTable(
  'queue_turns',
  {
    lane: text('lane').notNull(),
    accountId: uuid('account_id').notNull(),
    takenAt: timestamp('taken_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.lane, t.accountId] })],
);

/**
 * Work of each account that failed by its inputs and thus cost nothing. Decays by the hour. The migration makes the
 * table UNLOGGED: it may be lost, it must be fast.
 */
export const failureBudgets = pgTable('failure_budgets', {
  accountId: uuid('account_id').primaryKey(),
  spent: real('spent').notNull(),
  updatedAt: moment('updated_at').notNull().default(sql`now()`),
});

/** Files that wait to become the input of one job. The row is deleted when a job claims the object, or at expiry. */
export const uploads = pgTable(
  'uploads',
  {
    /** 128 random bits: the last segment of the upload's URL, and part of its object's key. */
    token: text('token').primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** Null until all of it has arrived. */
    sha256: bytea('sha256'),
    /** Bytes so far of a file that arrives in parts; null once it is complete. */
    receivedBytes: bigint('received_bytes', { mode: 'number' }),
    /** Keys of its parts, in order. */
    parts: text('parts').array().notNull().default(sql`'{}'`),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('uploads_account').on(t.accountId), index('uploads_expiring').on(t.expiresAt)],
);

// --- webhooks ------------------------------------------------------------------------------------------------------

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
    /** Start of the response, for whoever looks for the fault. */
    responseBody: text('response_body'),
    error: text('error'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.attempt] })],
);

// --- the HTTP edge -------------------------------------------------------------------------------------------------

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    key: text('key').notNull(),
    /** SHA-256 over method, path and body. */
    fingerprint: bytea('fingerprint').notNull(),
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

/** Secrets the service makes for itself on first use, such as the one that signs result URLs. */
export const serviceSecrets = pgTable('service_secrets', {
  name: text('name').primaryKey(),
  secret: bytea('secret').notNull(),
  createdAt: createdAt(),
});

/** Runner processes that are alive hold an advisory lock on `lockKey`; a row without its lock is a dead runner. */
export const runners = pgTable('runners', {
  id: text('id').primaryKey(),
  lockKey: integer('lock_key').generatedAlwaysAsIdentity().notNull(),
  host: text('host').notNull(),
  startedAt: moment('started_at').notNull().default(sql`now()`),
});

/**
 * Web and runner processes, each with its last sign of life. The migration makes the table UNLOGGED: it may be lost,
 * the processes write it again.
 */
export const processes = pgTable('processes', {
  id: uuid('id').primaryKey(),
  part: text('part').$type<ProcessPart>().notNull(),
  host: text('host').notNull(),
  pid: integer('pid').notNull(),
  facts: jsonb('facts').$type<ProcessFacts>().notNull(),
  startedAt: moment('started_at').notNull(),
  beatAt: moment('beat_at').notNull().default(sql`now()`),
});

export type ProcessPart = 'web' | 'runner';

/** Outage that a process sees: its work that needs the dependency waits. */
export interface ProcessOutage {
  readonly dependency: string;
  /** ISO 8601. */
  readonly since: string;
  /** Failures in a row. */
  readonly failures: number;
}

/** Download of a file of weights that has begun. */
export interface WeightDownload {
  readonly id: string;
  readonly bytes: number;
  /** null where it is unknown. */
  readonly bytesTotal: number | null;
}

/** State of a process and its machine at its last sign of life. Sizes are bytes. */
export interface ProcessFacts {
  /** Versions of the service and of what it runs on, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly cores: number;
  /** Load average of the last minute. */
  readonly load: number;
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  readonly residentBytes: number;
  /** Disk of `DATA_DIR`. */
  readonly diskBytes: number;
  readonly freeDiskBytes: number;
  /** Ids of the weights that are stored there, whole. */
  readonly weights: readonly string[];
  /** Weights that are being fetched; absent from processes of earlier versions, as what follows. */
  readonly fetching?: readonly WeightDownload[];
  /** Engines that failed their acceptance test there, with the reason. */
  readonly failedEngines?: readonly { readonly id: string; readonly reason: string }[];
  /** Dependencies that fail now; absent from processes of earlier versions. */
  readonly outages?: readonly ProcessOutage[];
}

/**
 * Regular work of the service. Runners claim a due task, and reschedule it in the transaction that records its end. A
 * task whose runner has died is free again, and still due.
 */
export const scheduledTasks = pgTable('scheduled_tasks', {
  name: text('name').primaryKey(),
  /** Earliest start of the next run. */
  runAt: timestamp('run_at', { withTimezone: true, mode: 'date' }).notNull(),
  /** Number of claims so far: fences a claimer that another one has replaced. */
  attempt: integer('attempt').notNull().default(0),
  /** The worker of a runner that works on the task. */
  lockedBy: text('locked_by'),
  /** Runs in a row that an outage ended: the pause after each grows. */
  failures: integer('failures').notNull().default(0),
});

/** Last run of each scheduled task, and of the backup command. */
export const taskRuns = pgTable('chore_runs', {
  name: text('name').primaryKey(),
  endedAt: moment('ended_at').notNull().default(sql`now()`),
  durationMs: integer('duration_ms').notNull(),
  /** Sentence on what went wrong; null when all went well. */
  fault: text('fault'),
});
