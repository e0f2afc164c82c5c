import { setTimeout as wait } from 'node:timers/promises';
import { OperationError } from '../../../../models/core/operation/errors.ts';
import { OutageError } from '../../../base/outage.ts';

/** A finished run is worth waiting for a database that is just restarting. */
const DELAYS_MS = [200, 500, 1_000, 2_000, 4_000];

/** Retries a fenced, repeatable step during a short database outage. */
export async function retryOnOutage<T>(step: () => Promise<T>): Promise<T> {
  for (const delayMs of DELAYS_MS) {
    try {
      return await step();
    } catch (thrown) {
      if (thrown instanceof OperationError && !(thrown instanceof OutageError)) throw thrown;
      await wait(delayMs);
    }
  }
  return await step();
}
