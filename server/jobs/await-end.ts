import { EventEmitter, once } from 'node:events';
import { eq, sql } from 'drizzle-orm';
import { isTerminal } from '../../models/job.ts';
import type { Context } from '../context.ts';
import { type Db, type Executor, schema } from '../db.ts';
import { withinTime } from '../within-time.ts';

const CHANNEL = 'job_ended';
/** How often the row itself is looked at, for when the connection that listens is lost. */
const LOOK_EVERY_MS = 3_000;

/** One connection of a process hears for all that wait in it. It is opened again by itself when it breaks. */
const listeners = new WeakMap<Db, Promise<EventEmitter>>();

function endsOf(db: Db): Promise<EventEmitter> {
  const known = listeners.get(db);
  if (known) return known;
  const ends = new EventEmitter().setMaxListeners(0);
  const listening = db.$client.listen(CHANNEL, (id) => ends.emit(id)).then(() => ends);
  listeners.set(db, listening);
  listening.catch(() => listeners.delete(db));
  return listening;
}

/** Wakes whoever waits for the job, in whatever process, once the transaction that ends it is committed. */
export async function tellEnd(tx: Executor, id: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANNEL}, ${id})`);
}

/**
 * Waits for the end of a job, also while the database is away.
 * @returns whether it has ended; false as soon as the signal aborts
 */
export async function awaitEnd({ db }: Context, id: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const look = withinTime(LOOK_EVERY_MS, signal);
    const ends = await endsOf(db).catch(() => new EventEmitter());
    // Listened for before it is looked at, so that no end falls in between.
    const told = once(ends, id, { signal: look }).catch(() => {});
    if (await hasEnded(db, id).catch(() => false)) return true;
    await told;
  }
  return false;
}

async function hasEnded(db: Db, id: string): Promise<boolean> {
  const { jobs } = schema;
  const [job] = await db.select({ status: jobs.status }).from(jobs).where(eq(jobs.id, id));
  return job !== undefined && isTerminal(job.status);
}
