import { setTimeout as wait } from 'node:timers/promises';
import { findModel } from '../../../models/core/operation/batch.ts';
import { LANES, type Lane } from '../../../models/core/operation/job.ts';
import { operationFor } from '../../../models/test-mode/create-test-operation.ts';
import { watchOutages } from '../../base/breakers.ts';
import type { Dependency } from '../../base/outage.ts';
import { type LaneLimits, type QueueEntry, watchQueue } from '../../base/queue/index.ts';
import { deliverWebhook } from '../../io/webhooks/index.ts';
import { findRunDescription } from '../index.ts';
import { type ChosenLimits, chooseLimits } from './choose-limits.ts';
import { createScheduledTasks } from './create-scheduled-tasks.ts';
import { deliverOutputs } from './deliver-outputs.ts';
import {
  type Dispatcher,
  type Reservation,
  type RoomRequest,
  startDispatcher,
  takeEntries,
} from './dispatcher.ts';
import type { LaneReservation } from './job-attempt.ts';
import { type Lease, openLease, sweepRunners } from './lease.ts';
import { RUN_DEPENDENCIES, type RunnerDeps } from './run-in-child.ts';
import { runJob, type StartedClaim, startJob } from './run-job.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';

/** Room for an attempt at a job. */
interface RunReservation extends Reservation {
  /** Absent where the job cannot run: the attempt finds out why. */
  readonly reserved?: LaneReservation;
}

/** Deliveries wait for other people's servers: they have places of their own, and never hold up a job. */
const DELIVERIES_CONCURRENT_MAX = 16;

/** A receiver that hangs keeps a delivery for 15 s. Neither it nor its account keeps those of others. */
const DELIVERY_LIMITS: LaneLimits = { accountMax: 2, hostMax: 4 };

/** Clean-up may take long, and nothing else waits for it. */
const TASKS_CONCURRENT_MAX = 2;

const DELIVERY_DEPENDENCIES: readonly Dependency[] = ['network', 'memory', 'secrets key'];

const OUTPUT_DEPENDENCIES: readonly Dependency[] = ['network', 'memory', 'store'];

const SWEEP_EVERY_MS = 3_000;

/** Time for work to settle after the last run. */
const SETTLE_MS = 10_000;

export interface SessionOptions extends Omit<RunnerDeps, 'signal' | 'workerId'> {
  readonly databaseUrl: string;
}

/** Time between acquiring and losing (or giving up) the right to take jobs. */
export interface Session {
  /** Settles when the session cannot continue. Others may then take its jobs. */
  readonly lost: Promise<void>;
  /**
   * Takes nothing new. Runs still active after `graceMs` are aborted and requeued, for others to take immediately.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Opens a session.
 * @throws when the database cannot be reached
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { ctx } = options;
  const runsAbort = new AbortController();
  const lease = await openLease(options.databaseUrl);
  const dispatchers = new Map<string, Dispatcher>();
  let scheduler: Scheduler | undefined;
  let endWatch = async (): Promise<void> => {};
  const stopAll = async (): Promise<void> => {
    await Promise.all([scheduler?.stop(), ...[...dispatchers.values()].map((each) => each.stop())]);
  };
  try {
    await options.uncountedAttempts.flush(ctx.db);
    endWatch = await watchQueue(options.databaseUrl, (lane) => {
      if (lane !== undefined) return dispatchers.get(lane)?.announce();
      for (const each of dispatchers.values()) each.poll();
    });
    const deps = { ...options, workerId: lease.workerId, signal: runsAbort.signal };
    for (const lane of LANES) dispatchers.set(lane, dispatchRuns(deps, lane));
    const sendWebhook = (id: string) => deliverWebhook(ctx, id);
    dispatchers.set('delivery', dispatchDeliveries(deps, 'delivery', DELIVERY_DEPENDENCIES, sendWebhook));
    const sendOutputs = (id: string) => deliverOutputs(deps, id);
    dispatchers.set('output', dispatchDeliveries(deps, 'output', OUTPUT_DEPENDENCIES, sendOutputs));
    scheduler = await startScheduler({
      db: ctx.db,
      log: ctx.log,
      workerId: lease.workerId,
      tasks: createScheduledTasks(ctx),
      breakers: options.breakers,
      tasksMax: TASKS_CONCURRENT_MAX,
    });
  } catch (thrown) {
    // First: runs that have begun would otherwise be waited for.
    runsAbort.abort();
    void endWatch().catch(() => {});
    await stopAll();
    await lease.close().catch(() => {});
    throw thrown;
  }
  const timer = setInterval(() => void beatAndSweep(options, lease), SWEEP_EVERY_MS);
  return {
    lost: lease.lost,
    async close(graceMs) {
      clearInterval(timer);
      void endWatch().catch(() => {});
      const timeUp = setTimeout(() => runsAbort.abort(), graceMs);
      await awaitAtMost(stopAll(), graceMs + SETTLE_MS);
      clearTimeout(timeUp);
      await lease.close();
    },
  };
}

/** Runs the jobs of a lane, each as soon as there is room for it: until then other runners may take it. */
function dispatchRuns(deps: RunnerDeps, lane: Lane): Dispatcher {
  const { ctx, workerId, lanes, signal, breakers } = deps;
  const mayStart = () => breakers.mayStart(RUN_DEPENDENCIES);
  const take = (entry: QueueEntry) => startJob(deps, entry);
  const base = { db: ctx.db, log: ctx.log, lane, workerId, signal, mayStart, take };
  if (lane === 'batch') {
    return startDispatcher({
      ...base,
      // A batch that is being finished leaves its lane nothing to run; and none keeps other accounts' from starting.
      placesMax: lanes.slots.batch + 1,
      accountMax: lanes.accountBatchSlots,
      work: (started: StartedClaim) => runJob(deps, started),
    });
  }
  return startDispatcher({
    ...base,
    placesMax: lanes.slots[lane],
    admit: ({ id }, request) => reserveRun(deps, id, lane, request),
    work: (started, room) => runJob(deps, started, room?.reserved),
  });
}

/**
 * Delivers webhooks, or results to buckets of clients. Receivers may be slow: the two lanes hold up neither runs nor each
 * other.
 */
function dispatchDeliveries(
  { ctx, workerId, signal, breakers }: RunnerDeps,
  lane: 'delivery' | 'output',
  dependencies: readonly Dependency[],
  deliver: (id: string) => Promise<void>,
): Dispatcher {
  return startDispatcher({
    db: ctx.db,
    log: ctx.log,
    lane,
    workerId,
    signal,
    placesMax: DELIVERIES_CONCURRENT_MAX,
    bounds: DELIVERY_LIMITS,
    take: takeEntries({ db: ctx.db, workerId, bounds: DELIVERY_LIMITS }),
    mayStart: () => breakers.mayStart(dependencies),
    work: ({ id }: QueueEntry) => watchOutages(breakers, dependencies, () => deliver(id)),
  });
}

async function beatAndSweep(
  { ctx, fences, uncountedAttempts, breakers }: SessionOptions,
  lease: Lease,
): Promise<void> {
  await lease.beat();
  try {
    await uncountedAttempts.flush(ctx.db);
    const fenced = await fences.check(ctx.db);
    if (fenced.length > 0) ctx.log.info({ fenced }, 'fenced runs are ended');
    const dead = await sweepRunners(ctx.db);
    if (dead.length > 0) ctx.log.warn({ dead }, 'runners are gone; their jobs are requeued');
    breakers.recordSuccess(['database']);
  } catch (err) {
    ctx.log.warn({ err }, 'could not look for dead runners');
  }
}

/** Waits for work to end, at most so long. */
async function awaitAtMost(work: Promise<void>, timeoutMs: number): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([work, wait(timeoutMs, undefined, { signal: timeout.signal }).catch(() => {})]);
  timeout.abort();
}

/**
 * Waits until a slot of the lane and the memory that the job's run declares are free.
 * @throws once the request's signal aborts, and when the database cannot be reached
 */
async function reserveRun(
  deps: RunnerDeps,
  jobId: string,
  lane: Lane,
  request: RoomRequest,
): Promise<RunReservation> {
  const chosen = await chooseRunLimits(deps, jobId, lane);
  if (!chosen) return { release() {} };
  const release = await deps.lanes.reserve(lane, chosen.limits.memoryBytesMax, request);
  return { release, reserved: { ...chosen, lane } };
}

async function chooseRunLimits(
  deps: RunnerDeps,
  jobId: string,
  lane: Lane,
): Promise<ChosenLimits | undefined> {
  const run = await findRunDescription(deps.ctx.db, jobId);
  const model = run && findModel(deps.operations, run.operationId);
  if (!model || model.isBatch) return undefined;
  const operation = operationFor(run, model.operation);
  return await chooseLimits(deps, { ...run, lane, operation }).catch(() => undefined);
}
