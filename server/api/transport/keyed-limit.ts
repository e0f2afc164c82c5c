import { OperationError } from '../../../models/core/operation/errors.ts';

/** Limit on concurrently open resources in this process. */
export class OpenLimit {
  readonly #max: number;
  readonly #refusal: string;
  #open = 0;

  /** @param refusal message when no place is free */
  constructor(max: number, refusal: string) {
    this.#max = max;
    this.#refusal = refusal;
  }

  /**
   * Takes a place. Callers take it before any await: a burst would pass a limit that is checked first and counted
   * later.
   * @returns a function that releases the place; further calls do nothing
   * @throws OperationError `unavailable` when no place is free
   */
  acquire(): () => void {
    if (this.#open >= this.#max) throw new OperationError('unavailable', this.#refusal);
    this.#open += 1;
    let isFreed = false;
    return () => {
      if (!isFreed) this.#open -= 1;
      isFreed = true;
    };
  }
}

/** Amount that a user of a bound occupies until it leaves. */
export interface Allowance {
  /** @throws OperationError `too_many_requests` when its key has no room for more */
  grow(amount: number): void;
  /** Gives the room back. Further calls do nothing. */
  release(): void;
}

/** Limit on what each key, such as an account, occupies of this process at the same time: requests, or bytes. */
export class KeyedLimit {
  readonly #max: number;
  readonly #refusal: string;
  readonly #amounts = new Map<string, number>();

  /** @param refusal message that names the bound and its limit */
  constructor(max: number, refusal: string) {
    this.#max = max;
    this.#refusal = refusal;
  }

  /**
   * Takes room. Callers take it before any await: a burst would pass a limit that is checked first and counted later.
   * @throws OperationError `too_many_requests` when the key has no room for it
   */
  acquire(key: string, amount: number): Allowance {
    const allowance = this.tryAcquire(key, amount);
    if (!allowance) throw new OperationError('too_many_requests', this.#refusal);
    return allowance;
  }

  /** Takes room, as {@link acquire} does. @returns undefined when the key has no room for it */
  tryAcquire(key: string, amount: number): Allowance | undefined {
    let own = 0;
    const hasGrown = (more: number): boolean => {
      const all = (this.#amounts.get(key) ?? 0) + more;
      if (all > this.#max) return false;
      this.#amounts.set(key, all);
      own += more;
      return true;
    };
    if (!hasGrown(amount)) return undefined;
    return {
      grow: (more) => {
        if (!hasGrown(more)) throw new OperationError('too_many_requests', this.#refusal);
      },
      release: () => {
        const left = (this.#amounts.get(key) ?? 0) - own;
        own = 0;
        if (left > 0) this.#amounts.set(key, left);
        else this.#amounts.delete(key);
      },
    };
  }
}
