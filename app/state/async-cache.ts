/** Values that are computed once for each key, and are known after a while. */
export class AsyncCache<Key extends object, Value> {
  readonly #known = new WeakMap<Key, Value>();
  readonly #asked = new WeakSet<Key>();
  readonly #compute: (key: Key) => Promise<Value>;
  readonly #onKnown: () => void;

  /** @param compute must not reject */
  constructor(compute: (key: Key) => Promise<Value>, onKnown: () => void) {
    this.#compute = compute;
    this.#onKnown = onKnown;
  }

  /** Returns the value; undefined before it is known. */
  readonly get = (key: Key): Value | undefined => {
    if (!this.#asked.has(key)) {
      this.#asked.add(key);
      void this.#compute(key).then((value) => {
        if (!this.#asked.has(key)) return;
        this.#known.set(key, value);
        this.#onKnown();
      });
    }
    return this.#known.get(key);
  };

  set(key: Key, value: Value): void {
    this.#asked.add(key);
    this.#known.set(key, value);
  }

  /** Makes the next `get` compute the value again. */
  drop(key: Key): void {
    this.#asked.delete(key);
    this.#known.delete(key);
  }
}
