/** Semaphore: a fixed number of places, first come, first served. */
export interface Semaphore {
  /**
   * Waits for a place.
   * @returns a function that releases the place; further calls do nothing
   * @throws the reason of `signal` when it aborts before a place is free
   */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /**
   * Waits until all places are free.
   * @throws the reason of `signal` when it aborts before
   */
  idle(signal?: AbortSignal): Promise<void>;
}

/** Creates a semaphore. @param count places, 1 or more */
export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting = new Set<() => void>();
  const idlers = new Set<() => void>();
  const release = () => {
    const [next] = waiting;
    // A place goes straight to the next in line, so that no later caller is served first.
    if (next) return next();
    free += 1;
    if (free === count) for (const resolve of [...idlers]) resolve();
  };
  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      if (free > 0) free -= 1;
      else await nextCall(waiting, signal);
      return onceOnly(release);
    },
    async idle(signal) {
      signal?.throwIfAborted();
      if (free < count) await nextCall(idlers, signal);
    },
  };
}

/** Waits until one of `waiting`, which it adds, is called. */
function nextCall(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      waiting.delete(enter);
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const enter = settle(resolve);
    const onAbort = settle(() => reject(signal?.reason));
    waiting.add(enter);
    signal?.addEventListener('abort', onAbort);
  });
}

/** Returns a function that runs `act` on its first call only. */
function onceOnly(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

/**
 * Waits.
 * @throws the reason of `signal` as soon as it aborts
 */
export function pause(durationMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, durationMs);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
  });
}
