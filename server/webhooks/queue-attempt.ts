import type { Executor } from '../db.ts';
import { enqueue } from '../queue/index.ts';

/** Part of a delivery that the queue must know. */
export interface QueuedDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
}

/** Queues the next attempt of a delivery; a waiting one is moved instead. */
export async function queueAttempt(
  db: Executor,
  { id, accountId, url }: QueuedDelivery,
  runAt?: Date,
): Promise<void> {
  await enqueue(db, { id, lane: 'delivery', accountId, host: receiverOf(url), ...(runAt && { runAt }) });
}

/** Returns what a receiver counts as: its host name, whichever port is called, and whether or not it ends with a dot. */
function receiverOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
