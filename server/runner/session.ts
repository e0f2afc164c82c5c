import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Task } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Workshop } from './carry-out.ts';
import { CRON, choresOf } from './chores.ts';
import { type Lease, openLease, sweepRunners } from './lease.ts';
import { type QueueWorker, startQueueWorker } from './queue-worker.ts';
import { runJob } from './run-job.ts';

/** Deliveries wait for other people's servers: they have slots of their own, and never hold up a job. */
const CHORES_AT_ONCE = 8;
/** Batches have slots of their own as well, so that no short job waits for the end of a long one. */
const BATCHES_AT_ONCE = 2;
/** What three queue workers may need besides one connection for each job: to listen, for batches and for chores. */
export const EXTRA_CONNECTIONS = 3 + BATCHES_AT_ONCE + CHORES_AT_ONCE;
const SWEEP_EVERY_MS = 3_000;
/** How long the queue workers may take to settle once nothing runs any more. */
const SETTLE_MS = 10_000;

export interface SessionOptions extends Omit<Workshop, 'signal'> {
  readonly databaseUrl: string;
  /** One for each job that runs at once, and {@link EXTRA_CONNECTIONS}. */
  readonly connections: Pool;
  /** How many jobs run at once. */
  readonly concurrency: number;
}

/** The time between getting and losing (or giving up) the right to take jobs. */
export interface Session {
  /** Settles when the session cannot go on. Others may take its jobs then. */
  readonly lost: Promise<void>;
  /** Takes nothing new. What still runs after `graceMs` is broken off and handed back, for others to take at once. */
  close(graceMs: number): Promise<void>;
}

/** @throws when the database cannot be reached */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { ctx, connections } = options;
  const breakOff = new AbortController();
  const brokenOff: string[] = [];
  const work: Task<'run-job' | 'run-batch'> = async ({ id }, { job }) => {
    try {
      await runJob({ ...options, signal: breakOff.signal }, id);
    } catch (thrown) {
      if (breakOff.signal.aborted) brokenOff.push(job.id);
      throw thrown;
    }
  };
  const lease = await openLease(options.databaseUrl);
  const workers: QueueWorker[] = [];
  const abandon = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await lease.close();
  };
  const shared = { connections, lease, log: ctx.log };
  try {
    for (const queue of [
      { tasks: { 'run-job': work }, cron: [], concurrency: options.concurrency },
      { tasks: { 'run-batch': work }, cron: [], concurrency: BATCHES_AT_ONCE },
      { tasks: choresOf(ctx), cron: CRON, concurrency: CHORES_AT_ONCE },
    ]) {
      workers.push(await startQueueWorker({ ...shared, ...queue }));
    }
  } catch (thrown) {
    await abandon().catch(() => {});
    throw thrown;
  }
  const timer = setInterval(() => void keepWatch(options, lease), SWEEP_EVERY_MS);
  return {
    lost: Promise.race([lease.lost, ...workers.map(({ ended }) => ended)]),
    async close(graceMs) {
      clearInterval(timer);
      const timeUp = setTimeout(() => breakOff.abort(), graceMs);
      await settled(workers, graceMs + SETTLE_MS);
      clearTimeout(timeUp);
      await offerAgain(options, brokenOff);
      await lease.close();
    },
  };
}

async function keepWatch({ ctx }: SessionOptions, lease: Lease): Promise<void> {
  await lease.beat();
  try {
    const dead = await sweepRunners(ctx.db);
    if (dead.length > 0) ctx.log.warn({ dead }, 'runners are gone; what they were at is taken over');
  } catch (err) {
    ctx.log.warn({ err }, 'could not look for dead runners');
  }
}

async function settled(workers: readonly QueueWorker[], timeoutMs: number): Promise<void> {
  const timeout = new AbortController();
  const stopped = Promise.all(workers.map((worker) => worker.stop()));
  await Promise.race([stopped, wait(timeoutMs, undefined, { signal: timeout.signal }).catch(() => {})]);
  timeout.abort();
}

/** The queue makes failed entries wait; these did not fail. */
async function offerAgain({ ctx }: SessionOptions, entryIds: readonly string[]): Promise<void> {
  if (entryIds.length === 0) return;
  const list = sql.join(
    entryIds.map((id) => sql`${id}`),
    sql`, `,
  );
  await ctx.db.execute(
    sql`select graphile_worker.reschedule_jobs(array[${list}]::bigint[], run_at => now(), attempts => 0)`,
  );
}
