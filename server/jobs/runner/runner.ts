import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { OPERATIONS, WEIGHTS } from '../../../models/registry.ts';
import { type Breakers, createBreakers } from '../../base/breakers.ts';
import { type Isolation, removeLeftFolders } from '../../base/children/isolation.ts';
import type { Context } from '../../base/context.ts';
import type { Env } from '../../base/env.ts';
import { startRemovingStale } from '../../base/remove-stale.ts';
import { combineSignals, createTimeoutSignal } from '../../base/signals.ts';
import { openWeightStore } from '../../runtime/weight-store/index.ts';
import { createModelMemory, type LentWeights } from '../runs/index.ts';
import { createAttemptFences, createUncountedAttempts } from './attempt-registry.ts';
import { removeStaleRuns } from './create-scheduled-tasks.ts';
import { type Lanes, openLanes } from './lanes.ts';
import { openSession, type SessionOptions } from './session.ts';

const REGISTRY = fileURLToPath(new URL('../../../models/registry.ts', import.meta.url));
/** Pause before the database is asked again, which doubles up to the longest. */
const REOPEN_PAUSE_MS = 500;
const REOPEN_PAUSE_MS_MAX = 5_000;
/** Longest wait of work without a job for an idle runner. */
const IDLE_MS_MAX = 60_000;
/** Its place in the lane: after all jobs. */
const IDLE_ORDER = Number.MAX_SAFE_INTEGER;
/** Leaves the supervisor's grace enough room to requeue everything. */
const GRACE_MS = 15_000;

export interface RunnerOptions {
  readonly databaseUrl: string;
  readonly operations?: Readonly<Record<string, Operation>>;
  /** Path of the module that exports the same operations as `OPERATIONS`, for the child processes. */
  readonly operationsModule?: string;
  /** Defaults to new ones. */
  readonly breakers?: Breakers;
  /** What keeps the child processes from the files of others. Without it, they have this process's rights. */
  readonly isolation?: Isolation;
}

export interface Runner {
  /** Settles when jobs are taken for the first time. */
  readonly ready: Promise<void>;
  /**
   * Waits for a slot of a long run and for memory, at most for a minute.
   * @returns a function that releases them
   */
  reserveIdle(bytes: number, signal: AbortSignal): Promise<() => void>;
  /** Describes what it does now, for its signs of life. */
  describe: Lanes['describe'];
  /** Stops in two stages: takes nothing new and lets runs finish, then aborts and requeues them. */
  stop(graceMs?: number): Promise<void>;
}

/** Takes jobs and runs them, across every database outage, until it is stopped. */
export function startRunner(ctx: Context, options: RunnerOptions): Runner {
  const deps = createDeps(ctx, options);
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort');
  let graceMs = GRACE_MS;
  let reportReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    reportReady = resolve;
  });

  const work = async (): Promise<void> => {
    const session = await openSession(deps);
    reportReady();
    await Promise.race([session.lost, stopped]);
    if (stopping.signal.aborted) return await session.close(graceMs);
    ctx.log.warn('lost the database; running jobs are aborted and requeued');
    await session.close(0);
  };
  const live = async (): Promise<void> => {
    const endRemoving = await startRemovingStale(async () => {
      await removeStaleRuns(ctx);
      await removeLeftFolders(ctx.env);
    }, ctx.log);
    await deps.lanes.warm();
    let pauseMs = REOPEN_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const hasWorked = await work().then(
        () => true,
        (err: unknown) => {
          ctx.log.error({ err }, 'could not work with the database');
          return false;
        },
      );
      pauseMs = hasWorked ? REOPEN_PAUSE_MS : Math.min(pauseMs * 2, REOPEN_PAUSE_MS_MAX);
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
    endRemoving();
    deps.lanes.close();
  };
  const ended = live();
  return {
    ready,
    describe: deps.lanes.describe,
    reserveIdle(bytes, signal) {
      const waiting = combineSignals(createTimeoutSignal(IDLE_MS_MAX), ...(signal ? [signal] : []));
      const claimant = { signal: waiting.signal, order: () => IDLE_ORDER };
      const reserved = deps.lanes.reserve('long', bytes, claimant).catch(() => () => {});
      return reserved.finally(() => waiting.end());
    },
    async stop(grace = GRACE_MS) {
      graceMs = grace;
      stopping.abort();
      await ended;
    },
  };
}

/** Creates what outlives a session, such as warm children. */
function createDeps(ctx: Context, options: RunnerOptions): SessionOptions {
  const {
    databaseUrl,
    operations = OPERATIONS,
    operationsModule = REGISTRY,
    breakers = createBreakers(),
    isolation,
  } = options;
  const memoryBytesMax = Math.max(...Object.values(operations).map(({ limits }) => limits.memoryBytesMax));
  const weights = lendWeights(ctx.env);
  const lanes = openLanes({
    env: ctx.env,
    operationsModule,
    memoryBytesMax,
    log: ctx.log,
    isolation,
    weights,
  });
  return {
    ctx,
    operations,
    databaseUrl,
    lanes,
    fences: createAttemptFences(),
    uncountedAttempts: createUncountedAttempts(),
    breakers,
    largestModelBytes: createModelMemory(ctx.env),
  };
}

/** Lends the weights of this machine to children that may only read them. */
export function lendWeights(env: Env): LentWeights {
  const store = openWeightStore(env);
  const findCard = (id: string) => WEIGHTS.find((card) => card.id === id);
  return {
    async fetch(id, { signal, onProgress }) {
      const card = findCard(id);
      if (!card) throw new OperationError('unavailable', `${id}: unknown weights`);
      await store.removeDamaged(card, { signal, onProgress });
      await store.fetch([card], { signal, onProgress });
    },
    noteUse(ids) {
      for (const card of ids.flatMap((id) => findCard(id) ?? [])) store.markUse(card)();
    },
  };
}
