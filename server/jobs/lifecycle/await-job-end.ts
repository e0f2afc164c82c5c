import { EventEmitter, once } from 'node:events';
import { eq, type SQL, sql } from 'drizzle-orm';
import { buildOnce } from '../../../models/core/build-once.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { Context } from '../../base/context.ts';
import { type Db, schema } from '../../base/database/db.ts';
import { getNotifications, notifying } from '../../base/database/notifications.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { SharedLook } from '../../base/shared-look.ts';
import { createTimeoutSignal } from '../../base/signals.ts';

/** Polling interval for the row itself, in case the listening connection is lost. */
const POLL_EVERY_MS = 3_000;

/** Returns the expression that wakes waiters for the job, in every process, once the transaction that ends it is committed. */
export function tellingEnd(id: string): SQL {
  return notifying('job_ended', id);
}

/**
 * Waits for the end of a job, also during a database outage.
 * @returns whether it has ended; false as soon as the signal aborts
 */
export async function awaitJobEnd({ db }: Context, id: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const pollTimeout = createTimeoutSignal(POLL_EVERY_MS, signal);
    const ends = await getNotifications(db, 'job_ended').catch(() => new EventEmitter());
    // Listen before the read, so that no end falls in between.
    const notified = once(ends, id, { signal: pollTimeout }).catch(() => {});
    if (await hasEnded(db, id).catch(() => false)) return true;
    await notified;
  }
  return false;
}

/** Pause between two looks for changes of the jobs that streams show. */
const LOOK_EVERY_MS = 1_000;

/** Time after which a stream hears that nothing has changed. */
const UNCHANGED_MS = 10_000;

const getLook = buildOnce((db: Db) => new SharedLook((ids) => readVersions(db, ids), LOOK_EVERY_MS));

/**
 * Waits for a look that finds a job changed, or for its end, whichever comes first; 10 s at most.
 * @param known version of the job that the caller has: the time of its latest change in ms since the epoch, a hyphen and
 *   its status
 * @returns whether the job may have changed since; false as soon as the signal aborts
 */
export async function awaitJobChange(
  { db }: Context,
  id: string,
  known: string,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const either = createTimeoutSignal(UNCHANGED_MS, over.signal, signal);
  const ends = await getNotifications(db, 'job_ended').catch(() => new EventEmitter());
  const ended = once(ends, id, { signal: either }).then(
    () => true,
    () => false,
  );
  const isNew = (version: string | undefined) => version !== undefined && version !== known;
  const looked = getLook(db).next(id, either, isNew).then(isNew);
  const mayHaveChanged = await Promise.race([ended, looked]);
  over.abort();
  return mayHaveChanged && !signal.aborted;
}

async function readVersions(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.execute<{ id: string; version: string }>(
    readOnly(sql`
    select id, round(extract(epoch from updated_at) * 1000)::bigint || '-' || status as version from jobs
    where id in (select json_array_elements_text(${JSON.stringify(ids)}::json))`),
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

async function hasEnded(db: Db, id: string): Promise<boolean> {
  const { jobs } = schema;
  const [job] = await db.select({ status: jobs.status }).from(jobs).where(eq(jobs.id, id));
  return job !== undefined && isTerminal(job.status);
}
