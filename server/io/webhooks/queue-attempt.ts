import { getDomain } from 'tldts';
import type { Executor } from '../../base/database/db.ts';
import { enqueue } from '../../base/queue/index.ts';

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
  await enqueue(db, {
    id,
    lane: 'delivery',
    accountId,
    host: findReceiverDomain(url),
    ...(runAt && { runAt }),
  });
}

/**
 * Returns what a receiver counts as: the registered domain, or a customer's part of a hosting platform
 * (Mozilla's Public Suffix List, private section included), whichever subdomain or port is called. An address, or a
 * name without a dot, counts as itself.
 */
export function findReceiverDomain(url: string): string {
  return getDomain(url, { allowPrivateDomains: true }) ?? new URL(url).hostname.replace(/\.$/, '');
}
