import { workerFailure } from './worker-failure.ts';

/** Long enough for the next file of a batch, short enough that memory comes back soon. */
const IDLE_MS = 3_000;

/** Worker with its user's own data. */
export interface PooledWorker {
  readonly worker: Worker;
}

/** Pool of workers that succeeded and may be reused. */
export interface WorkerPool<Kept extends PooledWorker> {
  /** Returns a warm worker, or a new one. The caller terminates it or returns it. */
  acquire(): Kept;
  /** Takes back an idle worker. It is terminated when unused for a while, or when it crashes. */
  release(kept: Kept): void;
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
  return {
    acquire() {
      // The last one, so that surplus workers grow old.
      const kept = [...idle.keys()].at(-1);
      return kept ? remove(kept) : start();
    },
    release(kept) {
      idle.set(
        kept,
        setTimeout(() => end(kept), IDLE_MS),
      );
      workerFailure(kept.worker).catch(() => end(kept));
    },
  };
}
