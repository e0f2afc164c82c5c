import { setTimeout as wait } from 'node:timers/promises';
import { findOutage, isDatabaseOutage } from './outage.ts';

/** A finished run is worth waiting for a database that is just restarting. */
const DELAYS_MS = [200, 500, 1_000, 2_000, 4_000];

/**
 * Retries a fenced, repeatable step during a short outage of what it depends on. Any other error is thrown at once: the
 * step would meet it again.
 */
export async function retryOnOutage<T>(step: () => Promise<T>): Promise<T> {
  for (const delayMs of DELAYS_MS) {
    try {
      return await step();
    } catch (thrown) {
      if (!isDatabaseOutage(thrown) && !findOutage(thrown)) throw thrown;
      await wait(delayMs);
    }
  }
  return await step();
}
