import type { Tx } from '../db.ts';
import { addJob } from '../queue.ts';

/** Queues the next attempt of a delivery; one that waits already is moved instead. */
export async function queueAttempt(tx: Tx, deliveryId: string, runAt?: Date): Promise<void> {
  const jobKey = `deliver-webhook:${deliveryId}`;
  await addJob(tx, 'deliver-webhook', { deliveryId }, runAt ? { jobKey, runAt } : { jobKey });
}
