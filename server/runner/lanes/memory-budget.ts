import type { Lane } from '../../../models/operation/lane.ts';

/** Budget for the slots and the declared memory of a runner's children. */
export interface MemoryBudget {
  /** Memory that a single background run can take and leave enough for a small image, in bytes. */
  readonly backgroundBytesMax: number;
  /**
   * Waits until the lane has a slot and `bytes` are free; a run that waits holds neither. Within a lane the lowest
   * order comes first, then whoever came first. A run that has no room lets others pass that have, for 20 s.
   * @returns a function that releases them; to be called once
   * @throws the reason of `signal` when it aborts before
   */
  acquire(lane: Lane, bytes: number, claimant: Claimant): Promise<() => void>;
}

/** Whoever waits for a slot and memory. */
export interface Claimant {
  /** Gives up waiting. */
  readonly signal: AbortSignal;
  /** Account of the run, for lanes with a limit by account. */
  readonly accountId?: string;
  /** Returns the run's current place within its lane. Defaults to 0. */
  order?(): number;
}

export interface MemoryBudgetOptions {
  readonly bytesMax: number;
  /** Limit on concurrent runs of each lane. */
  readonly slots: Readonly<Record<Lane, number>>;
  /** Limit on those of one account. Unlimited where absent. */
  readonly accountSlots?: Readonly<Partial<Record<Lane, number>>>;
  isBackground(lane: Lane): boolean;
  nowMs?(): number;
}

/** Priority of the lanes when memory becomes free. */
const RANK: Readonly<Record<Lane, number>> = { verdict: 0, interactive: 1, long: 2, batch: 3 };
/** Share of the budget for all background runs together, so that a video leaves room for an image. */
const BACKGROUND_SHARE = 0.5;
/** Memory that a background run should leave to others: a small image's run, and a verdict where there is enough. */
const RESERVE_BYTES = 1_000_000_000;
const RESERVE_SHARE = 0.25;
/** After this wait for memory no other run may overtake. */
const OVERDUE_AFTER_MS = 20_000;

interface Waiting {
  readonly lane: Lane;
  readonly bytes: number;
  readonly accountId: string | undefined;
  readonly order: () => number;
  /** Since when it has been its turn, but for memory. */
  lackingSinceMs?: number;
  start(): void;
}

/**
 * Creates a budget. Concurrent runs never declare more than `bytesMax`; a run that alone declares more runs alone.
 * Runs of background lanes together take at most half of it, or are a single one. A run that has lacked memory for
 * 20 s keeps others from starting first, where that brings its own start nearer.
 */
export function createMemoryBudget({
  bytesMax,
  slots,
  accountSlots = {},
  isBackground,
  nowMs = () => performance.now(),
}: MemoryBudgetOptions): MemoryBudget {
  const running = new Set<Waiting>();
  const waiting = new Set<Waiting>();
  const bytesOf = (counts: (run: Waiting) => boolean): number =>
    [...running].reduce((sum, run) => (counts(run) ? sum + run.bytes : sum), 0);
  const fits = (held: number, bytes: number, share = 1): boolean =>
    held === 0 || held + bytes <= bytesMax * share;
  const backgroundBytes = (): number => bytesOf(({ lane }) => isBackground(lane));
  const fitsBackground = ({ lane, bytes }: Waiting): boolean =>
    fits(backgroundBytes(), bytes, isBackground(lane) ? BACKGROUND_SHARE : 1);
  const allBytes = (): number => bytesOf(() => true);
  const mayStart = (run: Waiting): boolean =>
    fits(allBytes(), run.bytes) && (!isBackground(run.lane) || fitsBackground(run));
  const hasSlot = ({ lane, accountId }: Waiting): boolean => {
    const others = [...running].filter((run) => run.lane === lane);
    const own = others.filter((run) => accountId !== undefined && run.accountId === accountId);
    return others.length < slots[lane] && own.length < (accountSlots[lane] ?? Number.POSITIVE_INFINITY);
  };
  const isOverdue = ({ lackingSinceMs }: Waiting): boolean =>
    lackingSinceMs !== undefined && nowMs() - lackingSinceMs >= OVERDUE_AFTER_MS;

  const next = (): Waiting | undefined => {
    let backgroundWaits = false;
    for (const run of inStartOrder([...waiting], isOverdue)) {
      if (!hasSlot(run) || (backgroundWaits && isBackground(run.lane))) continue;
      if (mayStart(run)) return run;
      run.lackingSinceMs ??= nowMs();
      if (!isOverdue(run)) continue;
      // Only short runs are in its way: when none are added, its turn comes soon.
      if (fitsBackground(run)) return undefined;
      // Background runs are in its way. They take long, and short ones need not wait for them.
      backgroundWaits = true;
    }
    return undefined;
  };
  const startAll = (): void => {
    for (let run = next(); run; run = next()) {
      waiting.delete(run);
      running.add(run);
      run.start();
    }
  };

  return {
    backgroundBytesMax: bytesMax - Math.min(RESERVE_BYTES, bytesMax * RESERVE_SHARE),
    acquire: (lane, bytes, { signal, accountId, order = () => 0 }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const onAbort = (): void => {
          waiting.delete(run);
          reject(signal.reason);
          startAll();
        };
        const run: Waiting = {
          lane,
          bytes,
          accountId,
          order,
          start() {
            signal.removeEventListener('abort', onAbort);
            resolve(() => {
              running.delete(run);
              startAll();
            });
          },
        };
        signal.addEventListener('abort', onAbort);
        waiting.add(run);
        startAll();
      }),
  };
}

/** Sorts runs: those that have long lacked memory by their waits, then the others by lane and order. */
function inStartOrder(runs: readonly Waiting[], isOverdue: (run: Waiting) => boolean): Waiting[] {
  const overdue = runs.filter(isOverdue).sort((a, b) => (a.lackingSinceMs ?? 0) - (b.lackingSinceMs ?? 0));
  const others = runs
    .filter((run) => !isOverdue(run))
    .sort((a, b) => RANK[a.lane] - RANK[b.lane] || a.order() - b.order());
  return [...overdue, ...others];
}
