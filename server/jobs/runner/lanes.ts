import type { ProcessFacts } from '../../../drizzle/processes.ts';
import { LANES, type Lane } from '../../../models/core/operation/job.ts';
import type { Env } from '../../base/env.ts';
import type { Logger } from '../../base/log.ts';
import {
  type ChildOptions,
  type ChildPool,
  createChildPool,
  type RunEnd,
  type RunOptions,
  type RunRequest,
} from '../runs/index.ts';
import { type Claimant, MemoryBudget } from './memory-budget.ts';

/** Lanes without a waiting user: their runs yield the CPU to others. */
const BACKGROUND: readonly Lane[] = ['long', 'batch'];
/** Niceness of 19. A run of such a lane gets about a tenth of a contended core. */
const BACKGROUND_NICENESS = 10;

/** Lifetime of an idle child. Long runs can wait for a process start, and idle children hold memory. */
const BACKGROUND_IDLE_MS = 15_000;
const FOREGROUND_IDLE_MS = 600_000;
/** Children that wait for interactive runs. Each takes memory, and further ones start within a second. */
const INTERACTIVE_WARM = 1;

export function isBackground(lane: Lane): boolean {
  return BACKGROUND.includes(lane);
}

/**
 * Returns the slots of each lane in one runner: RUNNER_CONCURRENCY interactive ones, and half as many, rounded up, in
 * each other lane. Batches have one more than an account may use, so that none keeps those of others from starting.
 */
export function laneSlots({
  RUNNER_CONCURRENCY,
}: Pick<Env, 'RUNNER_CONCURRENCY'>): Readonly<Record<Lane, number>> {
  const half = Math.ceil(RUNNER_CONCURRENCY / 2);
  return { interactive: RUNNER_CONCURRENCY, long: half, verdict: half, batch: half + 1 };
}

export interface LanesOptions extends ChildOptions {
  readonly env: Pick<Env, 'RUNNER_CONCURRENCY' | 'RUNNER_MEMORY_MB'>;
  readonly log: Logger;
  /** Overrides the lifetime of an idle child in a lane without a waiting user. */
  readonly backgroundIdleMs?: number;
}

/** Child processes of a runner: a pool for each lane, within one memory budget. */
export interface Lanes {
  /** Limit on concurrent runs of each lane. */
  readonly slots: Readonly<Record<Lane, number>>;
  /** Memory that one long run can declare and leave enough for a small image, in bytes. */
  readonly longBytesMax: number;
  /** Waits until all starting children have started. */
  warm(): Promise<void>;
  /** Limit on concurrent batch runs of one account. */
  readonly accountBatchSlots: number;
  /**
   * Waits until the lane has a slot and `bytes` of memory are free for a run.
   * @returns a function that releases both; to be called once
   * @throws the reason of the claimant's signal when it aborts before
   */
  reserve(lane: Lane, bytes: number, claimant: Claimant): Promise<() => void>;
  /** Runs one request in a child of the lane, whose slot and memory the caller has reserved. Never rejects. */
  run(lane: Lane, request: RunRequest, options: RunOptions): Promise<RunEnd>;
  /** Describes what the lanes do now, and how their children have ended since the start. */
  describe(): Pick<ProcessFacts, 'lanes' | 'childEnds'>;
  /** Kills all children; their runs end as `crashed`. */
  close(): void;
}

/** Ends of runs after which the child goes on. */
const ORDERLY: readonly RunEnd['kind'][] = ['done', 'failed', 'stopped'];

export function openLanes({
  env,
  log,
  backgroundIdleMs = BACKGROUND_IDLE_MS,
  ...child
}: LanesOptions): Lanes {
  const slots = laneSlots(env);
  const accountBatchSlots = slots.batch - 1;
  const bytesMax = env.RUNNER_MEMORY_MB * 1_000_000;
  const budget = new MemoryBudget({
    bytesMax,
    slots,
    isBackground,
    accountSlots: { batch: accountBatchSlots },
  });
  const open = (lane: Lane): ChildPool =>
    createChildPool({
      ...child,
      log,
      size: slots[lane],
      warmCount: lane === 'interactive' ? INTERACTIVE_WARM : 0,
      idleMs: isBackground(lane) ? backgroundIdleMs : FOREGROUND_IDLE_MS,
      niceness: isBackground(lane) ? BACKGROUND_NICENESS : 0,
    });
  const pools = Object.fromEntries(LANES.map((lane) => [lane, open(lane)])) as Record<Lane, ChildPool>;
  const childEnds: Record<string, number> = {};
  return {
    slots,
    describe: () => ({
      childEnds: { ...childEnds },
      lanes: LANES.map((lane) => ({ lane, slots: slots[lane], running: budget.countRunning(lane) })),
    }),
    longBytesMax: budget.backgroundBytesMax,
    async warm() {
      await Promise.all(Object.values(pools).map((pool) => pool.warm()));
    },
    accountBatchSlots,
    reserve: (...claim) => budget.acquire(...claim),
    async run(lane, request, options) {
      const end = await pools[lane].run(request, options);
      if (!ORDERLY.includes(end.kind)) childEnds[end.kind] = (childEnds[end.kind] ?? 0) + 1;
      return end;
    },
    close() {
      for (const pool of Object.values(pools)) pool.close();
    },
  };
}
