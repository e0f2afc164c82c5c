import type { Semaphore } from '../../models/core/concurrency.ts';
import { OperationError } from '../../models/core/operation/errors.ts';
import type { Hideable } from './idle-work.ts';
import { cancelled, type Outcome, unwrap } from './protocol.ts';

interface RunInWorkerOptions {
  /** Shared by calls that must not run at the same time. */
  readonly slots: Semaphore;
  /** Terminates the worker. */
  readonly signal: AbortSignal;
}

/** Long enough for the next file of a batch, short enough that memory comes back soon. */
const SURPLUS_MS = 3_000;
/** The youngest worker waits longer, where it does not stay: for the file that the visitor looks for by then. */
const LAST_MS = 30_000;
/** Memory from which on the youngest worker stays, in GB as browsers report it: in steps, and 8 at most. */
const ROOMY_FROM_GB = 4;

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

export interface WorkerPoolOptions {
  /** Page in which the youngest worker stays for as long as it is visible; absent where none does. */
  readonly page?: Hideable | undefined;
  /** Memory of the device in GB; undefined where the browser does not report it. */
  readonly memoryGb?: number | undefined;
}

export function createWorkerPool<Kept extends PooledWorker>(
  start: () => Kept,
  { page, memoryGb = ROOMY_FROM_GB }: WorkerPoolOptions = {},
): WorkerPool<Kept> {
  /** Idle workers, each with the timer of its end; none while it stays. */
  const idle = new Map<Kept, ReturnType<typeof setTimeout> | undefined>();
  const remove = (kept: Kept) => {
    clearTimeout(idle.get(kept));
    idle.delete(kept);
    return kept;
  };
  const end = (kept: Kept) => remove(kept).worker.terminate();
  const youngest = () => [...idle.keys()].at(-1);
  const stays = () => page !== undefined && !page.hidden && memoryGb >= ROOMY_FROM_GB;
  const wait = (kept: Kept, forMs: number) => {
    const expire = () => {
      if (kept === youngest() && stays()) idle.set(kept, undefined);
      else if (kept === youngest() && forMs < LAST_MS) wait(kept, LAST_MS);
      else end(kept);
    };
    clearTimeout(idle.get(kept));
    idle.set(kept, setTimeout(expire, forMs));
  };
  page?.addEventListener('visibilitychange', () => {
    const last = youngest();
    if (last && page.hidden && !idle.get(last)) wait(last, LAST_MS);
  });
  return {
    acquire() {
      // The youngest, so that surplus workers grow old.
      const kept = youngest();
      return kept ? remove(kept) : start();
    },
    release(kept) {
      const former = youngest();
      if (former && !idle.get(former)) wait(former, SURPLUS_MS);
      wait(kept, SURPLUS_MS);
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
