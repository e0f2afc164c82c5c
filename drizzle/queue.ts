import { sql } from 'drizzle-orm';
import {
  bigint,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

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
export const taskRuns = pgTable('task_runs', {
  name: text('name').primaryKey(),
  endedAt: moment('ended_at').notNull().default(sql`now()`),
  durationMs: integer('duration_ms').notNull(),
  /** Sentence on what went wrong; null when all went well. */
  fault: text('fault'),
});

/** Machines of accounts that have asked for jobs, by their names. */
export const selfHostedWorkers = pgTable(
  'self_hosted_workers',
  {
    accountId: uuid('account_id').notNull(),
    name: text('name').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.name] })],
);
