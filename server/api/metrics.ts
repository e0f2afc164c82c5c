import { once } from 'node:events';
import { sql } from 'drizzle-orm';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { OperationError } from '../../models/core/operation/errors.ts';
import type { Context } from '../base/context.ts';
import { readOnly } from '../base/database/read-only.ts';
import { findOutage } from '../base/outage.ts';
import { countRunners, readLaneDepths } from '../base/queue/index.ts';
import { isSameText, listUsedKeys } from '../base/secrets/index.ts';
import { createTimeoutSignal } from '../base/signals.ts';
import { countDeliveries } from '../io/webhooks/index.ts';
import { listProcesses, SILENT_SECONDS_MAX } from '../jobs/heartbeats.ts';
import { countFailures, countJobs, readOldestQueuedSeconds } from '../jobs/index.ts';
import { listTaskRuns } from '../jobs/scheduled-tasks.ts';

const registry = new Registry();

const requestSeconds = new Histogram({
  name: 'darkroom_http_request_seconds',
  help: 'Response time of API requests in this process',
  labelNames: ['route', 'method', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [registry],
});
const gauge = (name: string, help: string, labelNames: string[] = []) =>
  new Gauge({ name: `darkroom_${name}`, help, labelNames, registers: [registry] });

/**
 * Gauges of the whole service, which every web process reads from the database: take their `max`, not their sum, over
 * the scraped processes.
 */
const service = {
  jobs: gauge('jobs', 'Jobs of the last 24 hours by operation and status', ['operation', 'status']),
  oldest: gauge('oldest_queued_seconds', 'Age of the oldest queued job'),
  entries: gauge('queue_entries', 'Entries of the queue by lane, waiting or taken by a runner', [
    'lane',
    'state',
  ]),
  laneAge: gauge('lane_oldest_seconds', 'Time for which the first due entry of a lane has waited', ['lane']),
  runners: gauge('runners', 'Runners that are registered'),
  deliveries: gauge('webhook_deliveries', 'Webhook deliveries of the last 24 hours by state', ['state']),
  failing: gauge(
    'webhook_deliveries_failing',
    'Webhook deliveries of the last 24 hours whose attempts have all failed so far',
  ),
  failures: gauge('failed_jobs_last_hour', 'Jobs that ended without a result within the hour', [
    'operation',
    'status',
    'code',
  ]),
  taskAge: gauge('task_age_seconds', 'Time since a scheduled task, or the backup command, last ended', [
    'task',
  ]),
  taskFailed: gauge('task_failed', '1 where its last run failed: `reconcile` is the check of the ledger', [
    'task',
  ]),
  connections: gauge('database_connections', 'Sessions of the database by state', ['state']),
  connectionsMax: gauge('database_connections_max', 'Limit of max_connections'),
};

const databaseUp = gauge(
  'database_up',
  '0 while the database does not respond: nothing of the service, or of its processes, is shown then',
);
/** Time for reading the gauges. Prometheus waits 10 seconds for a response. */
const READ_MS_MAX = 5_000;

/** Gauges of each live process of the service, web and runner, by its last sign of life. The `max` counts here, too. */
const OF_PROCESS = ['part', 'host', 'pid'];
const processes = {
  up: gauge('process_up', 'Live processes', OF_PROCESS),
  diskFree: gauge('disk_free_bytes', 'Free bytes of the disk of DATA_DIR', OF_PROCESS),
  disk: gauge('disk_bytes', 'Size of the disk of DATA_DIR', OF_PROCESS),
  diskShort: gauge('disk_short', 'Room by DISK_RESERVE_MB: 0 ample, 1 low, 2 full', OF_PROCESS),
  memoryFree: gauge('memory_free_bytes', 'Free memory of the machine or container', OF_PROCESS),
  resident: gauge('process_resident_bytes', 'Memory of the process itself', OF_PROCESS),
  poolPending: gauge('database_pool_pending', 'Requests to the database without a response', OF_PROCESS),
  poolMax: gauge('database_pool_max', 'Connections of the pool', OF_PROCESS),
  breakers: gauge('breaker_open', '1 for a dependency that work waits for', [...OF_PROCESS, 'dependency']),
  childEnds: new Counter({
    name: 'darkroom_child_kills_total',
    help: 'Children that were killed or crashed since the start, by reason',
    labelNames: [...OF_PROCESS, 'reason'],
    registers: [registry],
  }),
  slots: gauge('runner_slots', 'Slots of a lane', [...OF_PROCESS, 'lane']),
  running: gauge('runner_running', 'Slots of a lane that a run holds', [...OF_PROCESS, 'lane']),
  missingKeys: gauge('secrets_keys_missing', 'Keys of stored secrets that the process lacks', OF_PROCESS),
  isolation: gauge('isolation_info', '1, with what keeps children apart', [...OF_PROCESS, 'level']),
};

/** One of the metrics that prom-client collects of any process. */
const EVENT_LOOP_DELAY = 'nodejs_eventloop_lag_seconds';

export function observeRequest(route: string, method: string, status: number, seconds: number): void {
  requestSeconds.observe({ route, method, status }, seconds);
}

/**
 * Returns Prometheus text to the holder of METRICS_TOKEN; 404 without that variable. An outage of the database is a
 * figure, too: without a response it would look like one of the whole service.
 */
export async function getMetrics(ctx: Context, request: Request): Promise<Response> {
  if (!ctx.env.METRICS_TOKEN) {
    throw new OperationError('not_found', 'Metrics are off. Set METRICS_TOKEN to turn them on.');
  }
  if (!holdsMetricsToken(ctx, request)) {
    throw new OperationError('unauthorized', 'Send METRICS_TOKEN as Authorization: Bearer.');
  }
  // Not before the first scrape: watching the delay of the event loop wakes a process a hundred times a second.
  if (!registry.getSingleMetric(EVENT_LOOP_DELAY)) collectDefaultMetrics({ register: registry });
  resetGauges();
  const isUp = await readGauges(ctx);
  // Some may have been read before the others failed.
  if (!isUp) resetGauges();
  databaseUp.set(isUp ? 1 : 0);
  return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
}

function resetGauges(): void {
  for (const each of [...Object.values(service), ...Object.values(processes)]) each.reset();
}

/** Reads what the database tells. @returns false when it does not respond in time */
async function readGauges(ctx: Context): Promise<boolean> {
  const reading = Promise.all([
    readJobs(ctx),
    readQueue(ctx),
    readTasks(ctx),
    readConnections(ctx),
    readProcesses(ctx),
  ]);
  const over = once(createTimeoutSignal(READ_MS_MAX), 'abort');
  try {
    return await Promise.race([reading.then(() => true), over.then(() => false)]);
  } catch (thrown) {
    if (!findOutage(thrown)) throw thrown;
    return false;
  }
}

/** Reports whether a request comes from an operator: it carries METRICS_TOKEN. */
export function holdsMetricsToken({ env: { METRICS_TOKEN } }: Context, { headers }: Request): boolean {
  return (
    METRICS_TOKEN !== undefined && isSameText(headers.get('authorization') ?? '', `Bearer ${METRICS_TOKEN}`)
  );
}

async function readJobs({ db }: Context): Promise<void> {
  const [counts, failures, deliveries] = await Promise.all([
    countJobs(db),
    countFailures(db),
    countDeliveries(db),
  ]);
  for (const { operationId: operation, status, jobs } of counts)
    service.jobs.set({ operation, status }, jobs);
  for (const { operationId: operation, status, code, lastHour } of failures)
    service.failures.set({ operation, status, code: code ?? '' }, lastHour);
  for (const { state, deliveries: count } of deliveries) service.deliveries.set({ state }, count);
  service.failing.set(deliveries.reduce((sum, { failing }) => sum + failing, 0));
  service.oldest.set(await readOldestQueuedSeconds(db));
}

async function readQueue({ db }: Context): Promise<void> {
  for (const { lane, waiting, taken, oldestSeconds } of await readLaneDepths(db)) {
    service.entries.set({ lane, state: 'waiting' }, waiting);
    service.entries.set({ lane, state: 'taken' }, taken);
    service.laneAge.set({ lane }, oldestSeconds);
  }
  service.runners.set(await countRunners(db));
}

async function readTasks({ db }: Context): Promise<void> {
  for (const { name: task, endedAt, fault } of await listTaskRuns(db)) {
    service.taskAge.set({ task }, (Date.now() - endedAt.getTime()) / 1000);
    service.taskFailed.set({ task }, fault === null ? 0 : 1);
  }
}

async function readConnections({ db }: Context): Promise<void> {
  const rows = await db.execute<{ state: string; sessions: number; max: number }>(
    readOnly(sql`
    select coalesce(state, 'unknown') as state, count(*)::int as sessions,
      current_setting('max_connections')::int as max
    from pg_stat_activity where backend_type = 'client backend' group by 1`),
  );
  for (const { state, sessions, max } of rows) {
    service.connections.set({ state }, sessions);
    service.connectionsMax.set(max);
  }
}

const DISK_SHORT = { ample: 0, low: 1, full: 2 };

async function readProcesses({ db }: Context): Promise<void> {
  const [all, usedKeys] = await Promise.all([listProcesses(db), listUsedKeys(db)]);
  // Another request may have counted them while this one waited.
  processes.childEnds.reset();
  for (const { part, host, pid, facts, silentSeconds } of all) {
    if (silentSeconds > SILENT_SECONDS_MAX) continue;
    const of = { part, host, pid };
    processes.up.set(of, 1);
    processes.disk.set(of, facts.diskBytes);
    processes.diskFree.set(of, facts.freeDiskBytes);
    processes.diskShort.set(of, DISK_SHORT[facts.diskState ?? 'ample']);
    processes.memoryFree.set(of, facts.freeMemoryBytes);
    processes.resident.set(of, facts.residentBytes);
    if (facts.pool) {
      processes.poolPending.set(of, facts.pool.pending);
      processes.poolMax.set(of, facts.pool.connectionsMax);
    }
    for (const { dependency } of facts.outages ?? []) processes.breakers.set({ ...of, dependency }, 1);
    for (const [reason, ends] of Object.entries(facts.childEnds ?? {}))
      processes.childEnds.inc({ ...of, reason }, ends);
    for (const { lane, slots, running } of facts.lanes ?? []) {
      processes.slots.set({ ...of, lane }, slots);
      processes.running.set({ ...of, lane }, running);
    }
    const missing = usedKeys.filter((key) => facts.secretsKeys && !facts.secretsKeys.includes(key));
    processes.missingKeys.set(of, missing.length);
    if (facts.isolation) processes.isolation.set({ ...of, level: facts.isolation }, 1);
  }
}
