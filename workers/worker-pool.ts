import { workerFailure } from './worker-failure.ts';

/** Long enough for the next file of a batch, short enough that memory comes back soon. */
const IDLE_MS = 3_000;

/** Worker with its user's own data. */
export interface Pooled {
  readonly worker: Worker;
}

/** Pool of workers that succeeded and may be reused. */
export interface WorkerPool<Kept extends Pooled> {
  /** Returns a warm worker, or a new one. The caller terminates it or returns it. */
  take(): Kept;
  /** Takes back an idle worker. It is terminated when unused for a while, or when it crashes. */
  keep(kept: Kept): void;
}

export function createWorkerPool<Kept extends Pooled>(start: () => Kept): WorkerPool<Kept> {
  /** Idle workers with their timers. */
  const idle = new Map<Kept, ReturnType<typeof setTimeout>>();
  const remove = (kept: Kept) => {
    clearTimeout(idle.get(kept));
    idle.delete(kept);
    return kept;
  };
  const end = (kept: Kept) => remove(kept).worker.terminate();
  return {
    take() {
      // The last one, so that surplus workers grow old.
      const kept = [...idle.keys()].at(-1);
      return kept ? remove(kept) : start();
    },
    keep(kept) {
      idle.set(
        kept,
        setTimeout(() => end(kept), IDLE_MS),
      );
      workerFailure(kept.worker).catch(() => end(kept));
    },
  };
}
