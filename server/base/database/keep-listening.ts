import type postgres from 'postgres';

type Listen = postgres.Sql['listen'];

/** Listeners of channels, which follow their client when it is replaced. */
export interface KeptListeners {
  readonly listen: Listen;
  /** Listens again to all channels, on the client of now, as soon as its database is there. */
  moveToCurrent(): void;
}

/** Keeps the listeners of a client that may be replaced. @param current returns the client of now */
export function keepListening(current: () => postgres.Sql): KeptListeners {
  const known: Parameters<Listen>[] = [];
  const listenAgain = (given: Parameters<Listen>): void => {
    // Once asked, the driver tries by itself until its client ends: each further call would add a listener.
    void current()
      .listen(...given)
      .catch(() => {});
  };
  return {
    async listen(...given) {
      const listening = await current().listen(...given);
      known.push(given);
      return listening;
    },
    moveToCurrent: () => known.forEach(listenAgain),
  };
}
