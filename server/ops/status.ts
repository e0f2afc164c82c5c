import { and, desc, eq, gte, isNull, or, sql } from 'drizzle-orm';
import { OperationError } from '../../models/core/operation/errors.ts';
import { assertStorable } from '../../models/core/operation/storable-text.ts';
import type { Context } from '../base/context.ts';
import { type Executor, schema } from '../base/database/db.ts';
import { readOnly } from '../base/database/read-only.ts';
import { listProcesses, SILENT_SECONDS_MAX } from '../jobs/heartbeats.ts';

const { accounts, incidents } = schema;

const TITLE_CHARACTERS_MAX = 300;
const INCIDENTS_LISTED = 20;

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
  readonly latencies: readonly JobLatency[];
  /** Incidents of the last `UPTIME_DAYS`, newest first. */
  readonly incidents: readonly Incident[];
  /** First account of this installation, or the start of those days where that is later. */
  readonly since: Date;
  readonly at: Date;
}

/** Days that the uptime and the list of incidents cover. */
export const UPTIME_DAYS = 90;

const DAY_MS = 86_400_000;

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
  if (known && known.untilMs > performance.now()) return known.status;
  const status = readNow(db).catch((err: unknown): ServiceStatus => {
    log.warn({ err }, 'the status could not be read');
    const at = new Date();
    return { state: 'down', latencies: [], incidents: [], since: at, at };
  });
  kept.set(db, { status, untilMs: performance.now() + KEPT_MS });
  return status;
}

async function readNow(db: Context['db']): Promise<ServiceStatus> {
  const at = new Date();
  const from = new Date(at.getTime() - UPTIME_DAYS * DAY_MS);
  const [processes, latencies, incidents, begun] = await Promise.all([
    listProcesses(db),
    readLatencies(db),
    listIncidentsSince(db, from),
    findBeginning(db),
  ]);
  const since = begun && begun > from ? begun : from;
  const hasRunner = processes.some(
    ({ part, facts, silentSeconds }) =>
      part === 'runner' && !facts.waitsForKey && silentSeconds <= SILENT_SECONDS_MAX,
  );
  return { state: hasRunner ? 'up' : 'degraded', latencies, incidents, since, at };
}

/** Returns when the first account was opened; undefined before. */
async function findBeginning(db: Executor): Promise<Date | undefined> {
  const [first] = await db
    .select({ createdAt: accounts.createdAt })
    .from(accounts)
    .orderBy(accounts.createdAt)
    .limit(1);
  return first?.createdAt;
}

async function listIncidentsSince(db: Executor, from: Date): Promise<Incident[]> {
  return await db
    .select()
    .from(incidents)
    .where(or(isNull(incidents.endedAt), gte(incidents.endedAt, from)))
    .orderBy(desc(incidents.startedAt), desc(incidents.id));
}

/** Returns the share of a time in which no incident lasted, 0 to 1. Incidents that overlap count once. */
export function uptimeShare(
  all: readonly Pick<Incident, 'startedAt' | 'endedAt'>[],
  { since, at }: Pick<ServiceStatus, 'since' | 'at'>,
): number {
  const [fromMs, toMs] = [since.getTime(), at.getTime()];
  if (toMs <= fromMs) return 1;
  let downMs = 0;
  let countedUntilMs = fromMs;
  for (const { startedAt, endedAt } of all.toSorted(
    (a, b) => a.startedAt.getTime() - b.startedAt.getTime(),
  )) {
    const startMs = Math.max(startedAt.getTime(), countedUntilMs);
    const endMs = Math.min(endedAt?.getTime() ?? toMs, toMs);
    downMs += Math.max(0, endMs - startMs);
    countedUntilMs = Math.max(countedUntilMs, endMs);
  }
  return 1 - downMs / (toMs - fromMs);
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
export async function listIncidents(db: Executor): Promise<Incident[]> {
  return await db
    .select()
    .from(incidents)
    .orderBy(desc(incidents.startedAt), desc(incidents.id))
    .limit(INCIDENTS_LISTED);
}
