/** Values that are computed once for each key, and are known after a while. */
export class AsyncCache<Key extends object, Value> {
  readonly #known = new WeakMap<Key, Value>();
  readonly #asked = new WeakMap<Key, Promise<void>>();
  readonly #compute: (key: Key) => Promise<Value>;
  readonly #onKnown: () => void;

  /** @param compute must not reject */
  constructor(compute: (key: Key) => Promise<Value>, onKnown: () => void) {
    this.#compute = compute;
    this.#onKnown = onKnown;
  }

  /** Returns the value; undefined before it is known. */
  readonly get = (key: Key): Value | undefined => {
    void this.wait(key);
    return this.#known.get(key);
  };

  /** Settles once `get` returns the value. Never rejects. */
  readonly wait = (key: Key): Promise<void> => {
    const asked = this.#asked.get(key) ?? this.#ask(key);
    this.#asked.set(key, asked);
    return asked;
  };

  set(key: Key, value: Value): void {
    this.#asked.set(key, Promise.resolve());
    this.#known.set(key, value);
  }

  /** Makes the next `get` compute the value again. */
  drop(key: Key): void {
    this.#asked.delete(key);
    this.#known.delete(key);
  }

  async #ask(key: Key): Promise<void> {
    const value = await this.#compute(key);
    if (!this.#asked.has(key)) return;
    this.#known.set(key, value);
    this.#onKnown();
  }
}
