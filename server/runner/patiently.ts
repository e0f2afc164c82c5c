import { setTimeout as wait } from 'node:timers/promises';
import { OperationError } from '../../models/errors.ts';

/** A finished run is worth waiting for a database that is just being restarted. */
const DELAYS_MS = [200, 500, 1_000, 2_000, 4_000];

/** Repeats a fenced step, which may be repeated, while the database is away for a moment. */
export async function patiently<T>(step: () => Promise<T>): Promise<T> {
  for (const delayMs of DELAYS_MS) {
    try {
      return await step();
    } catch (thrown) {
      if (thrown instanceof OperationError) throw thrown;
      await wait(delayMs);
    }
  }
  return await step();
}
