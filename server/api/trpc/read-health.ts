import { sql } from 'drizzle-orm';
import { WEIGHTS } from '../../../models/registry.ts';
import type { Context } from '../../base/context.ts';
import type { Executor } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';
import type { Env } from '../../base/env.ts';
import { readLaneDepths } from '../../base/queue/index.ts';
import { countDeliveries, listFailingHosts } from '../../io/webhooks/index.ts';
import { listProcesses, SILENT_SECONDS_MAX } from '../../jobs/heartbeats.ts';
import { countFailures, listRunning, sumStored } from '../../jobs/index.ts';
import { listTaskRuns } from '../../jobs/scheduled-tasks.ts';
import { isStripeConfigured } from '../../money/stripe/index.ts';

/** Runner, as far as its models go. */
interface ModelHolder {
  readonly host: string;
  readonly facts: { readonly weights: readonly string[] };
}

interface ModelState {
  readonly id: string;
  readonly operationId: string;
  /** null: unknown before the download. */
  readonly bytes: number | null;
  /** Whether it ships with the service. */
  readonly isBundled: boolean;
  /** Whether an inference server runs it. */
  readonly isServed: boolean;
  /** Machines with a live runner that has the file. */
  readonly hosts: number;
}

interface DatabaseState {
  /** `17.2` */
  readonly version: string;
  readonly bytes: number;
  readonly connections: number;
  readonly connectionsMax: number;
}

/** Running jobs and failing hosts that are listed: there may be any number of them. */
const ROWS_MAX = 20;

/** Reads the state of the whole service over all machines. Times are ISO 8601, sizes bytes. */
export async function readHealth(ctx: Context) {
  const { db, env } = ctx;
  const [processes, lanes, running, work, stored, database] = await Promise.all([
    listProcesses(db),
    readLaneDepths(db),
    listRunning(db, ROWS_MAX),
    readWork(ctx),
    readStored(ctx),
    readDatabase(db),
  ]);
  const alive = processes.filter(({ silentSeconds }) => silentSeconds <= SILENT_SECONDS_MAX);
  const aliveRunners = alive.filter(({ part }) => part === 'runner');
  return {
    processes: processes.map(({ startedAt, silentSeconds, ...process }) => ({
      ...process,
      startedAt: startedAt.toISOString(),
      silentSeconds,
      isAlive: silentSeconds <= SILENT_SECONDS_MAX,
    })),
    lanes,
    running: running.map(({ startedAt, ...job }) => ({
      ...job,
      startedAt: startedAt?.toISOString() ?? null,
    })),
    ...work,
    stored,
    database,
    models: listModels(aliveRunners, env),
    settings: describeSettings(env),
  };
}

/** Reads what has lately failed, been delivered and been tidied up. */
async function readWork({ db }: Context) {
  const [failures, deliveries, failingHosts, scheduledTasks] = await Promise.all([
    countFailures(db),
    countDeliveries(db),
    listFailingHosts(db, ROWS_MAX),
    listTaskRuns(db),
  ]);
  return {
    failures,
    deliveries: Object.fromEntries(deliveries.map(({ state, deliveries: count }) => [state, count])),
    failingHosts,
    scheduledTasks: scheduledTasks.map(({ endedAt, ...task }) => ({
      ...task,
      endedAt: endedAt.toISOString(),
    })),
  };
}

async function readStored({ db, env, storage }: Context) {
  const [stored, works] = await Promise.all([
    sumStored(db),
    storage.check().then(
      () => true,
      () => false,
    ),
  ]);
  return { ...stored, works, place: env.S3_BUCKET ? ('s3' as const) : ('disk' as const) };
}

const describeSettings = (env: Context['env']) => ({
  mail: env.SMTP_URL !== undefined,
  stripe: isStripeConfigured(env),
  metrics: env.METRICS_TOKEN !== undefined,
  tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
  downloads: !env.MODELS_OFFLINE,
});

/** Reads the version, size and use of the database. Connections are those of all its databases. */
async function readDatabase(db: Executor): Promise<DatabaseState> {
  const [row] = await db.execute<{ version: string; bytes: number; connections: number; max: number }>(
    readOnly(sql`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database())::float8 as bytes,
      (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as connections,
      current_setting('max_connections')::int as max`),
  );
  if (!row) throw new Error('the database says nothing about itself');
  const { max, ...state } = row;
  return { ...state, connectionsMax: max };
}

/** Lists all models with the number of machines that can run them without a download. */
function listModels(runners: readonly ModelHolder[], env: Env): ModelState[] {
  return WEIGHTS.map(({ id, operation, bytes, url }) => ({
    id,
    operationId: operation,
    bytes,
    isBundled: url === null,
    isServed: env.INFERENCE_ENDPOINTS.has(id),
    hosts: new Set(runners.filter(({ facts }) => facts.weights.includes(id)).map(({ host }) => host)).size,
  }));
}
