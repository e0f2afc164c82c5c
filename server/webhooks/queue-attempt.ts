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
  const { host } = new URL(url);
  await enqueue(db, { id, lane: 'delivery', accountId, host, ...(runAt && { runAt }) });
}
