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
