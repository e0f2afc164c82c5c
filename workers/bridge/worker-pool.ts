import { workerFailure } from './worker-failure.ts';

/** Long enough for the next file of a batch, short enough that memory comes back soon. */
const SURPLUS_MS = 3_000;
/** The youngest worker waits longer: for the file that the visitor looks for meanwhile. */
const LAST_MS = 10_000;

/** Worker with its user's own data. */
export interface PooledWorker {
  readonly worker: Worker;
}

/** Pool of workers that succeeded and may be reused. */
export interface WorkerPool<Kept extends PooledWorker> {
  /** Returns a warm worker, or a new one. The caller terminates it or returns it. */
  acquire(): Kept;
  /**
   * Takes back an idle worker. It is terminated when unused for a while, or when it crashes.
   * @param lastMs how long it waits while it is the youngest
   */
  release(kept: Kept, lastMs?: number): void;
}

export function createWorkerPool<Kept extends PooledWorker>(start: () => Kept): WorkerPool<Kept> {
  /** Idle workers with their timers. */
  const idle = new Map<Kept, ReturnType<typeof setTimeout>>();
  const remove = (kept: Kept) => {
    clearTimeout(idle.get(kept));
    idle.delete(kept);
    return kept;
  };
  const end = (kept: Kept) => remove(kept).worker.terminate();
  const youngest = () => [...idle.keys()].at(-1);
  const expire = (kept: Kept, lastMs: number) => {
    if (kept !== youngest()) return end(kept);
    const timer = setTimeout(() => end(kept), lastMs - SURPLUS_MS);
    idle.set(kept, timer);
  };
  return {
    acquire() {
      // The youngest, so that surplus workers grow old.
      const kept = youngest();
      return kept ? remove(kept) : start();
    },
    release(kept, lastMs = LAST_MS) {
      const timer = setTimeout(() => expire(kept, lastMs), SURPLUS_MS);
      idle.set(kept, timer);
      workerFailure(kept.worker).catch(() => end(kept));
    },
  };
}
