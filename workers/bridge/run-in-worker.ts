import type { Semaphore } from '../../models/core/concurrency/semaphore.ts';
import { cancelled, type Outcome, unwrap } from './protocol.ts';
import { workerFailure } from './worker-failure.ts';

export interface RunInWorkerOptions {
  /** Shared by calls that must not run at the same time. */
  readonly slots: Semaphore;
  /** Terminates the worker. */
  readonly signal: AbortSignal;
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
