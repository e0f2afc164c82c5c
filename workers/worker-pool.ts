import { fault } from './fault.ts';

/** Long enough for the next file of a batch, short enough that memory comes back when there is none. */
const IDLE_MS = 3_000;

/** A worker with whatever its user keeps beside it. */
export interface Pooled {
  readonly worker: Worker;
}

/** Workers that have done their work well and may be given more. */
export interface WorkerPool<Kept extends Pooled> {
  /** One that is warm, or a new one. Whoever takes it ends it, or lets it be kept. */
  take(): Kept;
  /** Takes back a worker that does nothing any more. It is ended when it is not needed for a while, or falls over. */
  keep(kept: Kept): void;
}

export function createWorkerPool<Kept extends Pooled>(start: () => Kept): WorkerPool<Kept> {
  /** With the timers that end them. */
  const idle = new Map<Kept, ReturnType<typeof setTimeout>>();
  const remove = (kept: Kept) => {
    clearTimeout(idle.get(kept));
    idle.delete(kept);
    return kept;
  };
  const end = (kept: Kept) => remove(kept).worker.terminate();
  return {
    take() {
      // The last one, so that those that are too many get old.
      const kept = [...idle.keys()].at(-1);
      return kept ? remove(kept) : start();
    },
    keep(kept) {
      idle.set(
        kept,
        setTimeout(() => end(kept), IDLE_MS),
      );
      fault(kept.worker).catch(() => end(kept));
    },
  };
}
