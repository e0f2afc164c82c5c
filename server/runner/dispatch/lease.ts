import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { inArray, sql } from 'drizzle-orm';
import { closeDb, type Db, type Executor, openDb, schema } from '../../base/db.ts';
import { releaseAllEntries } from '../../queue/index.ts';

/** Class of the advisory locks that runners hold: "run" in ASCII. */
const LOCK_CLASS = 0x72756e;
const BEAT_TIMEOUT_MS = 10_000;

/** Lease of a runner: advisory locks that PostgreSQL releases by itself when the runner or its connection is gone. */
export interface Lease {
  /** Settles when the locks are lost. From then on others take over this runner's jobs. */
  readonly lost: Promise<void>;
  /** Registers a worker of this name. Must settle before the worker takes its first job. */
  register(workerId: string): Promise<void>;
  /**
   * Keeps the workers' chores locked, and notices a connection that has died silently. Concurrent calls share one
   * beat. Never rejects.
   */
  beat(): Promise<void>;
  /** Puts back what the workers have taken, and removes their names. */
  close(): Promise<void>;
}

/**
 * Opens a lease.
 * @throws when the database cannot be reached
 */
export async function openLease(url: string): Promise<Lease> {
  let lose = (): void => {};
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  const db = openDb(url, { connectionsMax: 1, onClose: lose });
  const workerIds: string[] = [];
  let beating: Promise<void> | undefined;
  const beat = async (): Promise<void> => {
    const answer = keepLocked(db, workerIds).then(() => true);
    const alive = await Promise.race([answer, wait(BEAT_TIMEOUT_MS, false, { ref: false })]).catch(
      () => false,
    );
    if (!alive) lose();
  };
  // A machine that lost power never closes its connection: PostgreSQL then gives up on it after about 11 s.
  await db.execute(
    sql`select set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
      set_config('tcp_keepalives_count', '3', false)`,
  );
  return {
    lost,
    async register(workerId) {
      workerIds.push(workerId);
      try {
        await register(db, workerId);
      } catch (thrown) {
        lose();
        throw thrown;
      }
    },
    beat() {
      // Two on one connection would wait for each other, and a slow database would look like a lost one.
      beating ??= beat().finally(() => {
        beating = undefined;
      });
      return beating;
    },
    async close() {
      try {
        await unlockWorkers(db, workerIds);
        await db.delete(schema.runners).where(inArray(schema.runners.id, workerIds));
      } finally {
        await closeDb(db);
      }
    },
  };
}

/**
 * Puts back what dead runners have taken, for others to take.
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
    await unlockWorkers(tx, ids);
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

/**
 * Renews the locks of chores. graphile-worker frees those that were locked 4 hours ago, though their worker may live:
 * to look through a large store takes longer.
 */
async function keepLocked(db: Executor, ids: readonly string[]): Promise<void> {
  await db.execute(
    sql`update graphile_worker._private_jobs set locked_at = now()
      where ${inArray(sql`locked_by`, ids)} and locked_at < now() - interval '5 minutes'`,
  );
}

async function unlockWorkers(db: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const list = sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  );
  await db.execute(sql`select graphile_worker.force_unlock_workers(array[${list}]::text[])`);
  await releaseAllEntries(db, ids);
}
