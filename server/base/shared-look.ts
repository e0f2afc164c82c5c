/**
 * Look at the database that many waiters share: one statement for all of them, at a pace that does not depend on their
 * number.
 */
export class SharedLook<Value> {
  readonly #look: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  readonly #everyMs: number;
  readonly #waiting = new Map<string, Set<Waiter<Value>>>();
  #timer: NodeJS.Timeout | undefined;

  /** @param look finds the values of all keys that are waited for */
  constructor(look: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>, everyMs: number) {
    this.#look = look;
    this.#everyMs = everyMs;
  }

  /**
   * Waits for the next look that finds what the caller wants. Those that find it nothing cost it next to nothing.
   * @param isWanted tells by what a look has found of the key: undefined for nothing, or where it fails
   * @returns what it has found; undefined for nothing, and as soon as the signal aborts
   */
  async next(
    key: string,
    signal: AbortSignal,
    isWanted: (found: Value | undefined) => boolean = () => true,
  ): Promise<Value | undefined> {
    if (signal.aborted) return undefined;
    return await new Promise((resolve) => {
      const waiters = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, waiters);
      const leave = (): void => waiter.end(undefined);
      const waiter: Waiter<Value> = {
        isWanted,
        end: (value) => {
          signal.removeEventListener('abort', leave);
          waiters.delete(waiter);
          if (waiters.size === 0 && this.#waiting.get(key) === waiters) this.#waiting.delete(key);
          resolve(value);
        },
      };
      waiters.add(waiter);
      signal.addEventListener('abort', leave);
      this.#timer ??= this.#lookLater();
    });
  }

  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => void this.#lookOnce(), this.#everyMs).unref();
  }

  async #lookOnce(): Promise<void> {
    // Who comes during the look waits for the next one.
    const waiting = [...this.#waiting].map(([key, waiters]) => [key, [...waiters]] as const);
    const keys = waiting.map(([key]) => key);
    const found = keys.length > 0 ? await this.#look(keys).catch(() => new Map<string, Value>()) : new Map();
    for (const [key, waiters] of waiting) {
      const value = found.get(key);
      for (const { isWanted, end } of waiters) if (isWanted(value)) end(value);
    }
    this.#timer = this.#waiting.size > 0 ? this.#lookLater() : undefined;
  }
}

interface Waiter<Value> {
  isWanted(found: Value | undefined): boolean;
  end(found: Value | undefined): void;
}
