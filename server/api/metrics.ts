import { timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { OperationError } from '../../models/core/operation/errors.ts';
import type { Context } from '../base/context/context.ts';
import { countRunners, readQueueDepth } from '../base/queue/index.ts';
import { countDeliveries } from '../io/webhooks/index.ts';
import { countJobs, readOldestQueuedSeconds } from '../jobs/index.ts';

const registry = new Registry();
collectDefaultMetrics({ register: registry });

const requestSeconds = new Histogram({
  name: 'darkroom_http_request_seconds',
  help: 'Response time of API requests in this process',
  labelNames: ['route', 'method', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [registry],
});
const jobsByStatus = new Gauge({
  name: 'darkroom_jobs',
  help: 'Jobs of the last 24 hours by operation and status, over all processes',
  labelNames: ['operation', 'status'],
  registers: [registry],
});
const oldestQueuedSeconds = new Gauge({
  name: 'darkroom_oldest_queued_seconds',
  help: 'Age of the oldest queued job',
  registers: [registry],
});

const queueEntries = new Gauge({
  name: 'darkroom_queue_entries',
  help: 'Jobs and webhook deliveries in the queue by lane, waiting or taken by a runner',
  labelNames: ['lane', 'state'],
  registers: [registry],
});
const runnersRegistered = new Gauge({
  name: 'darkroom_runners',
  help: 'Runners that are registered',
  registers: [registry],
});
const deliveriesByState = new Gauge({
  name: 'darkroom_webhook_deliveries',
  help: 'Webhook deliveries of the last 24 hours by state',
  labelNames: ['state'],
  registers: [registry],
});

export function observeRequest(route: string, method: string, status: number, seconds: number): void {
  requestSeconds.observe({ route, method, status }, seconds);
}

/** Returns Prometheus text to the holder of METRICS_TOKEN; 404 without that variable. */
export async function getMetrics(ctx: Context, request: Request): Promise<Response> {
  if (!ctx.env.METRICS_TOKEN) {
    throw new OperationError('not_found', 'Metrics are off. Set METRICS_TOKEN to turn them on.');
  }
  if (!holdsMetricsToken(ctx, request)) {
    throw new OperationError('unauthorized', 'Send METRICS_TOKEN as Authorization: Bearer.');
  }
  await Promise.all([readJobs(ctx), readQueue(ctx), readDeliveries(ctx)]);
  return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
}

/** Reports whether a request comes from an operator: it carries METRICS_TOKEN. */
export function holdsMetricsToken({ env: { METRICS_TOKEN } }: Context, { headers }: Request): boolean {
  return (
    METRICS_TOKEN !== undefined && isSameText(headers.get('authorization') ?? '', `Bearer ${METRICS_TOKEN}`)
  );
}

async function readJobs(ctx: Context): Promise<void> {
  const rows = await countJobs(ctx.db);
  jobsByStatus.reset();
  for (const { operationId: operation, status, jobs } of rows) jobsByStatus.set({ operation, status }, jobs);
  oldestQueuedSeconds.set(await readOldestQueuedSeconds(ctx.db));
}

async function readQueue({ db }: Context): Promise<void> {
  const lanes = await readQueueDepth(db);
  queueEntries.reset();
  for (const { lane, waiting, taken } of lanes) {
    queueEntries.set({ lane, state: 'waiting' }, waiting);
    queueEntries.set({ lane, state: 'taken' }, taken);
  }
  runnersRegistered.set(await countRunners(db));
}

async function readDeliveries({ db }: Context): Promise<void> {
  const counts = await countDeliveries(db);
  deliveriesByState.reset();
  for (const { state, deliveries } of counts) deliveriesByState.set({ state }, deliveries);
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
