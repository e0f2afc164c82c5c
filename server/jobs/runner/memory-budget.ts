import type { Lane } from '../../../models/core/operation/job.ts';

/** Run that waits for a slot and memory. */
export interface Claimant {
  /** Gives up waiting. */
  readonly signal: AbortSignal;
  /** Account of the run, for lanes with a limit by account. */
  readonly accountId?: string;
  /** Returns the run's current place within its lane. Defaults to 0. */
  order?(): number;
}

interface MemoryBudgetOptions {
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

interface Run {
  readonly lane: Lane;
  readonly bytes: number;
  readonly accountId: string | undefined;
  readonly order: () => number;
  /** Since when it has been its turn, but for memory. */
  blockedSinceMs?: number;
  readonly start: () => void;
}

/**
 * Budget for the slots and the declared memory of a runner's children. Concurrent runs never declare more than
 * `bytesMax`; a run that alone declares more runs alone. Runs of background lanes together take at most half of it, or
 * are a single one. A run that has lacked memory for 20 s keeps others from starting first, where that brings its own
 * start nearer.
 */
export class MemoryBudget {
  /** Memory that a single background run can take and leave enough for a small image, in bytes. */
  readonly backgroundBytesMax: number;
  readonly #options: MemoryBudgetOptions;
  readonly #running = new Set<Run>();
  readonly #waiting = new Set<Run>();

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
    this.backgroundBytesMax = options.bytesMax - Math.min(RESERVE_BYTES, options.bytesMax * RESERVE_SHARE);
  }

  /** Counts the runs of a lane that hold a slot. */
  countRunning(lane: Lane): number {
    return [...this.#running].filter((run) => run.lane === lane).length;
  }

  /**
   * Waits until the lane has a slot and `bytes` are free; a run that waits holds neither. Within a lane the lowest
   * order comes first, then the earliest. A run that has no room lets others pass that have, for 20 s.
   * @returns a function that releases them; to be called once
   * @throws the reason of the claimant's signal when it aborts before
   */
  acquire(lane: Lane, bytes: number, { signal, accountId, order = () => 0 }: Claimant): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = (): void => {
        this.#remove(run);
        reject(signal.reason);
      };
      const start = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(() => this.#remove(run));
      };
      const run: Run = { lane, bytes, accountId, order, start };
      signal.addEventListener('abort', onAbort);
      this.#waiting.add(run);
      this.#startAll();
    });
  }

  /** Removes a run that has ended or waits no more, and starts those that its memory lets start. */
  #remove(run: Run): void {
    this.#waiting.delete(run);
    this.#running.delete(run);
    this.#startAll();
  }

  #startAll(): void {
    for (let run = this.#next(); run; run = this.#next()) {
      this.#waiting.delete(run);
      this.#running.add(run);
      run.start();
    }
  }

  #next(): Run | undefined {
    let backgroundWaits = false;
    for (const run of this.#inStartOrder()) {
      if (!this.#hasSlot(run) || (backgroundWaits && this.#isBackground(run))) continue;
      if (this.#mayStart(run)) return run;
      run.blockedSinceMs ??= this.#nowMs();
      if (!this.#isOverdue(run)) continue;
      // Only short runs are in its way: when none are added, its turn comes soon.
      if (this.#fitsBackground(run)) return undefined;
      // Background runs are in its way. They take long, and short ones need not wait for them.
      backgroundWaits = true;
    }
    return undefined;
  }

  /** Sorts what waits: runs that have long lacked memory by their waits, then the others by lane and order. */
  #inStartOrder(): readonly Run[] {
    const runs = [...this.#waiting];
    const overdue = runs.filter((run) => this.#isOverdue(run));
    const others = runs.filter((run) => !this.#isOverdue(run));
    return [
      ...overdue.sort((a, b) => (a.blockedSinceMs ?? 0) - (b.blockedSinceMs ?? 0)),
      ...others.sort((a, b) => RANK[a.lane] - RANK[b.lane] || a.order() - b.order()),
    ];
  }

  #hasSlot({ lane, accountId }: Run): boolean {
    const { slots, accountSlots = {} } = this.#options;
    const others = [...this.#running].filter((run) => run.lane === lane);
    const own = others.filter((run) => accountId !== undefined && run.accountId === accountId);
    return others.length < slots[lane] && own.length < (accountSlots[lane] ?? Number.POSITIVE_INFINITY);
  }

  #mayStart(run: Run): boolean {
    return (
      this.#fits(this.#heldBytes(), run.bytes) && (!this.#isBackground(run) || this.#fitsBackground(run))
    );
  }

  /** Returns whether a run has room next to the background runs, whatever the others hold. */
  #fitsBackground(run: Run): boolean {
    const held = this.#heldBytes((other) => this.#isBackground(other));
    return this.#fits(held, run.bytes, this.#isBackground(run) ? BACKGROUND_SHARE : 1);
  }

  #fits(held: number, bytes: number, share = 1): boolean {
    return held === 0 || held + bytes <= this.#options.bytesMax * share;
  }

  #heldBytes(counts: (run: Run) => boolean = () => true): number {
    return [...this.#running].reduce((sum, run) => (counts(run) ? sum + run.bytes : sum), 0);
  }

  #isBackground({ lane }: Run): boolean {
    return this.#options.isBackground(lane);
  }

  #isOverdue({ blockedSinceMs }: Run): boolean {
    return blockedSinceMs !== undefined && this.#nowMs() - blockedSinceMs >= OVERDUE_AFTER_MS;
  }

  #nowMs(): number {
    return this.#options.nowMs?.() ?? performance.now();
  }
}
