import { Cell } from '../../models/core/cell.ts';

/** Entry of this browser's local storage, which pages can follow. No other site can read it. */
export class LocalEntry {
  readonly #name: string;
  /** Number of changes in this tab. */
  readonly #changes = new Cell(0);
  /** Value for this page, which the browser did not store; undefined while the stored one holds. */
  #unstored: string | null | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Returns the value; null without one. */
  readonly get = (): string | null => {
    if (this.#unstored !== undefined) return this.#unstored;
    try {
      return localStorage.getItem(this.#name);
    } catch {
      return null;
    }
  };

  /**
   * Stores a value, or deletes it by null.
   * @throws DOMException where the browser forbids storage, or has no room
   */
  set(value: string | null): void {
    if (value === null) localStorage.removeItem(this.#name);
    else localStorage.setItem(this.#name, value);
    this.#unstored = undefined;
    this.#tell();
  }

  /** Stores a value as `set` does, or for this page alone where the browser does not store it. */
  save(value: string | null): void {
    try {
      this.set(value);
    } catch {
      this.#unstored = value;
      this.#tell();
    }
  }

  /** Calls a listener after each change, in any tab. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const leave = this.#changes.subscribe(listener);
    // The event reaches other tabs only.
    window.addEventListener('storage', listener);
    return () => {
      leave();
      window.removeEventListener('storage', listener);
    };
  };

  #tell(): void {
    this.#changes.set((before) => before + 1);
  }
}
