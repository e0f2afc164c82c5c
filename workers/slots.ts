/** A fixed number of places, given in the order of asking. */
export interface Slots {
  /**
   * Waits for a place.
   * @returns gives the place back
   * @throws the reason of `signal` when it is aborted before a place is free
   */
  take(signal?: AbortSignal): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  const leave = () => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };
  return {
    async take(signal) {
      signal?.throwIfAborted();
      if (free > 0) free -= 1;
      else await nextTurn(waiting, signal);
      return onceOnly(leave);
    },
  };
}

function nextTurn(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      waiting.delete(enter);
      signal?.removeEventListener('abort', giveUp);
      act();
    };
    const enter = settle(resolve);
    const giveUp = settle(() => reject(signal?.reason));
    waiting.add(enter);
    signal?.addEventListener('abort', giveUp);
  });
}

function onceOnly(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
