/**
 * Look at the database that many waiters share: one statement for all of them, at a pace that does not depend on their
 * number.
 */
export class SharedLook<Value> {
  readonly #look: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  readonly #everyMs: number;
  readonly #waiting = new Map<string, Set<(value: Value | undefined) => void>>();
  #timer: NodeJS.Timeout | undefined;

  /** @param look finds the values of all keys that are waited for */
  constructor(look: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>, everyMs: number) {
    this.#look = look;
    this.#everyMs = everyMs;
  }

  /**
   * Waits for the next look.
   * @returns what it has found of the key; undefined for nothing, where it fails, and as soon as the signal aborts
   */
  async next(key: string, signal: AbortSignal): Promise<Value | undefined> {
    if (signal.aborted) return undefined;
    return await new Promise((resolve) => {
      const waiters = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, waiters);
      const end = (value?: Value): void => {
        signal.removeEventListener('abort', leave);
        resolve(value);
      };
      const leave = (): void => {
        waiters.delete(end);
        if (waiters.size === 0 && this.#waiting.get(key) === waiters) this.#waiting.delete(key);
        end();
      };
      waiters.add(end);
      signal.addEventListener('abort', leave);
      this.#timer ??= setTimeout(() => void this.#lookOnce(), this.#everyMs).unref();
    });
  }

  async #lookOnce(): Promise<void> {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#timer = undefined;
    if (waiting.length === 0) return;
    const found = await this.#look(waiting.map(([key]) => key)).catch(() => new Map<string, Value>());
    for (const [key, waiters] of waiting) for (const end of [...waiters]) end(found.get(key));
  }
}
