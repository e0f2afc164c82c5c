/** Entry of this browser's local storage, which pages can follow. No other site can read it. */
export class LocalEntry {
  readonly #name: string;
  readonly #listeners = new Set<() => void>();
  /** Value for this page, where the browser forbids storage. */
  #unstored: string | null = null;

  constructor(name: string) {
    this.#name = name;
  }

  /** Returns the value; null without one. */
  readonly get = (): string | null => {
    try {
      return localStorage.getItem(this.#name);
    } catch {
      return this.#unstored;
    }
  };

  /**
   * Stores a value, or deletes it by null.
   * @throws DOMException where the browser forbids storage
   */
  set(value: string | null): void {
    if (value === null) localStorage.removeItem(this.#name);
    else localStorage.setItem(this.#name, value);
    this.#tell();
  }

  /** Stores a value as `set` does, or for this page alone where the browser forbids storage. */
  keep(value: string | null): void {
    this.#unstored = value;
    try {
      this.set(value);
    } catch {
      this.#tell();
    }
  }

  /** Calls a listener after each change, in any tab. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    // The event reaches other tabs only, hence our own listeners.
    window.addEventListener('storage', listener);
    return () => {
      this.#listeners.delete(listener);
      window.removeEventListener('storage', listener);
    };
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
