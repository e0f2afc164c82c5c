import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { assertStorable } from '../../../models/core/operation/storable-text.ts';
import type { Context } from '../../base/context/context.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { readLaneDepths } from '../../base/queue/index.ts';
import { listProcesses, SILENT_SECONDS_MAX } from '../../jobs/heartbeats/index.ts';

const { incidents } = schema;

const TITLE_CHARACTERS_MAX = 300;

/** Incident that an operator has written down. */
export type Incident = typeof incidents.$inferSelect;

/** Time from the acceptance of a job to its end, in seconds, over the last day. */
export interface JobLatency {
  readonly operationId: string;
  readonly jobs: number;
  readonly median: number;
  /** 95th percentile. */
  readonly high: number;
}

/** Public state of the service. */
export interface ServiceStatus {
  /** `down` without a database, `degraded` without a runner. */
  readonly state: 'up' | 'degraded' | 'down';
  /** Duration of a query, in milliseconds; null without a database. */
  readonly databaseMs: number | null;
  readonly latencies: readonly JobLatency[];
  /** Seconds for which the entry of each lane that is due the longest has waited; 0 when none is. */
  readonly lanes: readonly { readonly lane: string; readonly oldestSeconds: number }[];
  readonly incidents: readonly Incident[];
  readonly at: Date;
}

/** Time for which a state is kept: the page is public, and must cost little. */
const KEPT_MS = 10_000;

/** Latest jobs that are looked at: a bound on the time of the look-up. */
const JOBS_READ = 5_000;

const kept = new WeakMap<
  Context['db'],
  { readonly status: Promise<ServiceStatus>; readonly untilMs: number }
>();

/** Reads the state of the whole service over all machines, at most every 10 seconds. Never rejects. */
export function readStatus({ db, log }: Pick<Context, 'db' | 'log'>): Promise<ServiceStatus> {
  const known = kept.get(db);
  if (known && known.untilMs > Date.now()) return known.status;
  const status = readNow(db).catch((err: unknown): ServiceStatus => {
    log.warn({ err }, 'the status could not be read');
    return { state: 'down', databaseMs: null, latencies: [], lanes: [], incidents: [], at: new Date() };
  });
  kept.set(db, { status, untilMs: Date.now() + KEPT_MS });
  return status;
}

async function readNow(db: Context['db']): Promise<ServiceStatus> {
  const startedAtMs = performance.now();
  await db.execute(readOnly(sql`select 1`));
  const databaseMs = Math.round(performance.now() - startedAtMs);
  const [processes, depths, latencies, incidents] = await Promise.all([
    listProcesses(db),
    readLaneDepths(db),
    readLatencies(db),
    listIncidents(db),
  ]);
  const hasRunner = processes.some(
    ({ part, silentSeconds }) => part === 'runner' && silentSeconds <= SILENT_SECONDS_MAX,
  );
  // What waits for machines of accounts says nothing about the service.
  const served = depths.filter(({ lane }) => lane !== 'own');
  const lanes = served.map(({ lane, oldestSeconds }) => ({ lane, oldestSeconds: Math.round(oldestSeconds) }));
  return { state: hasRunner ? 'up' : 'degraded', databaseMs, latencies, lanes, incidents, at: new Date() };
}

async function readLatencies(db: Executor): Promise<JobLatency[]> {
  type Row = { operation_id: string; jobs: number; median: number; high: number };
  const rows = await db.execute<Row>(
    readOnly(sql`
    with latest as (
      select operation_id, is_test, run_on, status, created_at, completed_at
      from jobs order by created_at desc limit ${JOBS_READ}
    ), ended as (
      select operation_id, extract(epoch from completed_at - created_at)::float8 as seconds from latest
      where status = 'COMPLETED' and not is_test and run_on = 'service' and created_at > now() - interval '24 hours'
    )
    select operation_id, count(*)::int as jobs,
      percentile_cont(0.5) within group (order by seconds) as median,
      percentile_cont(0.95) within group (order by seconds) as high
    from ended group by operation_id order by operation_id`),
  );
  const round = (seconds: number) => Math.round(seconds * 10) / 10;
  return rows.map(({ operation_id, jobs, median, high }) => {
    return { operationId: operation_id, jobs, median: round(median), high: round(high) };
  });
}

/**
 * Opens an incident now.
 * @param title 1 to 300 characters, for the status page
 * @throws OperationError `bad_request` for another title
 */
export async function openIncident(db: Executor, title: string): Promise<Incident> {
  const text = title.trim();
  assertStorable({ title: text });
  if (text.length < 1 || text.length > TITLE_CHARACTERS_MAX) {
    throw new OperationError('bad_request', `title: must be 1 to ${TITLE_CHARACTERS_MAX} characters long.`);
  }
  const [made] = await db.insert(incidents).values({ title: text }).returning();
  if (!made) throw new Error('the new incident was not returned');
  return made;
}

/**
 * Ends an incident now.
 * @throws OperationError `not_found` when no incident of that id lasts
 */
export async function endIncident(db: Executor, id: number): Promise<Incident> {
  const [ended] = await db
    .update(incidents)
    .set({ endedAt: sql`now()` })
    .where(and(eq(incidents.id, id), isNull(incidents.endedAt)))
    .returning();
  if (!ended) throw new OperationError('not_found', `id: no incident ${id} lasts.`);
  return ended;
}

/** Lists the latest incidents, newest first. */
export async function listIncidents(db: Executor, limit = 20): Promise<Incident[]> {
  return await db
    .select()
    .from(incidents)
    .orderBy(desc(incidents.startedAt), desc(incidents.id))
    .limit(limit);
}
