import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { closeDb, type Db, type Executor, openDb, schema } from '../../base/database/db.ts';
import { releaseAbandonedEntries, releaseAllEntries, releaseLapsedEntries } from '../../base/queue/index.ts';
import { freeTasks } from '../scheduled-tasks.ts';

/** Class of the advisory locks that runners hold: "run" in ASCII. */
const LOCK_CLASS = 0x72756e;
const BEAT_TIMEOUT_MS = 10_000;

export type Lease = Awaited<ReturnType<typeof openLease>>;

/**
 * Opens the lease of a runner, on its own connection: an advisory lock that PostgreSQL releases by itself when the
 * runner or its connection is gone.
 * @throws when the database cannot be reached
 */
export async function openLease(url: string) {
  const workerId = randomUUID();
  let lose = (): void => {};
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  const db = openDb(url, { connectionsMax: 1, onClose: lose });
  try {
    await register(db, workerId);
  } catch (thrown) {
    await closeDb(db);
    throw thrown;
  }
  let beating: Promise<void> | undefined;
  const beat = async (): Promise<void> => {
    const timeout = wait(BEAT_TIMEOUT_MS, false, { ref: false });
    const alive = await Promise.race([isRegistered(db, workerId), timeout]).catch(() => false);
    if (!alive) lose();
  };
  return {
    /** Name under which the runner may take jobs, deliveries and tasks. */
    workerId,
    /** Settles when the lock is lost. From then on others take over what this runner has taken. */
    lost,
    /**
     * Notices a connection that has died silently, and a takeover by others. Concurrent calls share one beat. Never
     * rejects.
     */
    beat() {
      // Two on one connection would wait for each other, and a slow database would look like a lost one.
      beating ??= beat().finally(() => {
        beating = undefined;
      });
      return beating;
    },
    /** Puts back what the runner has taken, and removes its name. */
    async close() {
      const leaving = leave(db, workerId);
      try {
        // A connection that has died silently never responds: then others put back what the runner has taken.
        await Promise.race([leaving, wait(BEAT_TIMEOUT_MS, undefined, { ref: false })]);
      } finally {
        leaving.catch(() => {});
        await closeDb(db);
      }
    },
  };
}

/**
 * Puts back what dead runners and silent workers of accounts have taken, for others to take.
 * @returns the workers that were found dead
 */
export async function sweepRunners(db: Db): Promise<string[]> {
  const { runners } = schema;
  return await db.transaction(async (tx) => {
    const dead = await tx
      .delete(runners)
      .where(sql`pg_try_advisory_xact_lock(${LOCK_CLASS}, ${runners.lockKey})`)
      .returning({ id: runners.id });
    const ids = dead.map(({ id }) => id);
    await putAllBack(tx, ids);
    await releaseAbandonedEntries(tx);
    await releaseLapsedEntries(tx);
    return ids;
  });
}

/** Registers a worker. Row and lock become visible together, so that no sweep takes a newcomer for dead. */
async function register(db: Executor, id: string): Promise<void> {
  const { runners } = schema;
  const newcomer = sql`insert into ${runners} (id, host) values (${id}, ${hostname()}) returning lock_key`;
  await db.execute(
    sql`with newcomer as (${newcomer}) select pg_advisory_lock(${LOCK_CLASS}, lock_key) from newcomer`,
  );
}

async function leave(db: Db, workerId: string): Promise<void> {
  await putAllBack(db, [workerId]);
  await db.delete(schema.runners).where(eq(schema.runners.id, workerId));
}

/** Returns false once others have found the worker dead. */
async function isRegistered(db: Db, id: string): Promise<boolean> {
  return (await db.$count(schema.runners, eq(schema.runners.id, id))) > 0;
}

async function putAllBack(db: Executor, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await freeTasks(db, workerIds);
  await releaseAllEntries(db, workerIds);
}
