import type { Context } from '../../base/context/context.ts';
import { readLaneDepths } from '../../base/queue/index.ts';
import { countDeliveries, listFailingHosts } from '../../io/webhooks/index.ts';
import { listProcesses, SILENT_SECONDS_MAX } from '../../jobs/heartbeats/index.ts';
import { countFailures, listRunning, sumStored } from '../../jobs/index.ts';
import { listTaskRuns } from '../../jobs/scheduled-tasks/index.ts';
import { isStripeConfigured } from '../../money/stripe/index.ts';
import { listModels } from './list-models.ts';
import { readDatabase } from './read-database.ts';

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
