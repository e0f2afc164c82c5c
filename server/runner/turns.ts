/** Gives a turn when there is one; the others wait in the order in which they came. */
export interface Turns {
  /** @returns what ends the turn; null when the signal aborted before it came */
  take(signal: AbortSignal): Promise<(() => void) | null>;
}

/** @param count how many turns there are at the same time */
export function createTurns(count: number): Turns {
  let free = count;
  const waiting = new Set<() => void>();
  const end = (): void => {
    free += 1;
    const [next] = waiting;
    next?.();
  };
  return {
    take: (signal) =>
      new Promise((resolve) => {
        const settle = (turn: (() => void) | null): void => {
          waiting.delete(start);
          signal.removeEventListener('abort', leave);
          resolve(turn);
        };
        const start = (): void => {
          free -= 1;
          settle(end);
        };
        const leave = (): void => settle(null);
        if (signal.aborted) leave();
        else if (free > 0) start();
        else {
          waiting.add(start);
          signal.addEventListener('abort', leave);
        }
      }),
  };
}
