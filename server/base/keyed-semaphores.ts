import { createSemaphore, type Semaphore } from '../../models/core/concurrency/semaphore.ts';

interface Entry {
  readonly semaphore: Semaphore;
  /** Number of those that have a place or wait for one. */
  users: number;
}

/** Semaphore of each key, kept while it is in use. */
export class KeyedSemaphores {
  readonly #places: number;
  readonly #entries = new Map<string, Entry>();

  /** @param places of each key */
  constructor(places: number) {
    this.#places = places;
  }

  /** Returns how many have a place of a key or wait for one. */
  users(key: string): number {
    return this.#entries.get(key)?.users ?? 0;
  }

  /**
   * Counts a user from now on, before it waits: a burst would pass a limit that is checked first and counted later.
   * @returns the user's semaphore, and a function that ends the use
   */
  join(key: string): { readonly semaphore: Semaphore; leave(): void } {
    const entry = this.#entries.get(key) ?? { semaphore: createSemaphore(this.#places), users: 0 };
    this.#entries.set(key, entry);
    entry.users += 1;
    return {
      semaphore: entry.semaphore,
      leave: () => {
        entry.users -= 1;
        if (entry.users === 0) this.#entries.delete(key);
      },
    };
  }
}
