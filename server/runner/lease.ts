import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { inArray, sql } from 'drizzle-orm';
import { closeDb, type Db, type Executor, openDb, schema } from '../db.ts';

/** The class of the advisory locks that runners hold: "run" in ASCII. */
const LOCK_CLASS = 0x72756e;
const BEAT_TIMEOUT_MS = 10_000;

/** A runner's sign of life: locks that PostgreSQL gives free by itself when the runner or its connection is gone. */
export interface Lease {
  /** Settles when the locks are lost. From then on others take over this runner's jobs. */
  readonly lost: Promise<void>;
  /** Says that a worker of this name lives. Must have settled before the worker takes its first job. */
  register(workerId: string): Promise<void>;
  /** Keeps the entries of the workers locked, and notices a connection that has died silently. Never rejects. */
  beat(): Promise<void>;
  /** Frees what the workers still hold, and takes their names back. */
  close(): Promise<void>;
}

/** @throws when the database cannot be reached */
export async function openLease(url: string): Promise<Lease> {
  let lose = (): void => {};
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  const db = openDb(url, { connectionsMax: 1, onClose: lose });
  const workerIds: string[] = [];
  // A machine that lost its power never closes its connection: PostgreSQL then gives up on it after about 11 s.
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
    async beat() {
      const answer = keepLocked(db, workerIds).then(() => true);
      const alive = await Promise.race([answer, wait(BEAT_TIMEOUT_MS, false, { ref: false })]).catch(
        () => false,
      );
      if (!alive) lose();
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
 * Lets others take over what dead runners were at: the queue itself would keep their jobs locked for hours.
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

/** Row and lock become visible at once, so that no sweep can take a newcomer for dead. */
async function register(db: Executor, id: string): Promise<void> {
  const { runners } = schema;
  const newcomer = sql`insert into ${runners} (id, host) values (${id}, ${hostname()}) returning lock_key`;
  await db.execute(
    sql`with newcomer as (${newcomer}) select pg_advisory_lock(${LOCK_CLASS}, lock_key) from newcomer`,
  );
}

/** The queue gives entries free that were locked 4 hours ago, though their worker may live: a long batch takes longer. */
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
}
