import type { Semaphore } from '../../models/core/concurrency.ts';
import { OperationError } from '../../models/core/operation/errors.ts';
import { cancelled, type Outcome, unwrap } from './protocol.ts';

interface RunInWorkerOptions {
  /** Shared by calls that must not run at the same time. */
  readonly slots: Semaphore;
  /** Terminates the worker. */
  readonly signal: AbortSignal;
}

/** Long enough for the next file of a batch, short enough that memory comes back soon. */
const SURPLUS_MS = 3_000;
/** The youngest worker waits longer: for the file that the visitor looks for by then. */
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

/**
 * Runs one call in a worker started for it, as soon as a slot is free.
 * @throws OperationError from the worker; `cancelled` by the signal; `internal` when the worker fails
 */
export async function runInWorker<Result>(
  start: () => Worker,
  ask: (worker: Worker) => Promise<Outcome<Result>>,
  { slots, signal }: RunInWorkerOptions,
): Promise<Result> {
  const release = await slots.acquire(signal).catch(() => {
    throw cancelled();
  });
  const worker = start();
  try {
    return await Promise.race([ask(worker).then(unwrap<Result>), workerFailure(worker), aborted(signal)]);
  } finally {
    worker.terminate();
    release();
  }
}

/** Rejects when the signal aborts. Never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = () => reject(cancelled());
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  });
}

/** Rejects when a worker cannot start, crashes, or sends an unreadable message. Never resolves. */
export function workerFailure(worker: Worker): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (reason: string) =>
      reject(new OperationError('internal', `The run failed on this device: ${reason}.`, { kind: 'fault' }));
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || 'its worker could not be started');
    };
    worker.onmessageerror = () => fail('its worker sent an unreadable message');
  });
}
