import { fault } from './fault.ts';
import { type Answer, cancelled, unwrap } from './protocol.ts';
import type { Slots } from './slots.ts';

export interface AloneOptions {
  /** Shared by all that must not work at the same time. */
  readonly slots: Slots;
  /** Ends the work at once. */
  readonly signal: AbortSignal;
}

/**
 * Asks one thing of a worker that is started for it and ended afterwards, as soon as there is a slot.
 * @throws OperationError the one that the answer carries; `cancelled` by the signal; `internal` when the worker fails
 */
export async function askAlone<Result>(
  start: () => Worker,
  ask: (worker: Worker) => Promise<Answer<Result>>,
  { slots, signal }: AloneOptions,
): Promise<Result> {
  const leave = await slots.take(signal).catch(() => {
    throw cancelled();
  });
  const worker = start();
  try {
    return await Promise.race([ask(worker).then(unwrap<Result>), fault(worker), aborted(signal)]);
  } finally {
    worker.terminate();
    leave();
  }
}

/** Rejects when the signal is aborted. Never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = () => reject(cancelled());
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  });
}
