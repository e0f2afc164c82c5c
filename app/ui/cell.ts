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

/** Observable value that outlives the components that show it. */
export class Cell<Value> {
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(initial: Value) {
    this.#value = initial;
  }

  readonly get = (): Value => this.#value;

  /** @param next value, or a function from the value before */
  readonly set = (next: Value | ((before: Value) => Value)): void => {
    const value = next instanceof Function ? next(this.#value) : next;
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
