import { sql } from 'drizzle-orm';
import { getDomain } from 'tldts';
import { type Executor, schema, type Tx } from '../../base/database/db.ts';
import { notify } from '../../base/database/notifications.ts';
import { enqueue } from '../../base/queue/index.ts';

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

const DAY_MS = 24 * HOUR_MS;

/** Pause after each failed attempt: the second within a minute, the tenth and last after about 3 days in all. */
const PAUSES_MS = [
  MINUTE_MS / 2,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  18 * HOUR_MS,
  22 * HOUR_MS,
];

/** Attempts at a delivery. */
export const DELIVERY_ATTEMPTS_MAX = PAUSES_MS.length + 1;

/** Time between the first and the last attempt, in whole days. */
export const DELIVERY_DAYS = Math.round(PAUSES_MS.reduce((sum, pauseMs) => sum + pauseMs, 0) / DAY_MS);

interface NewDelivery {
  readonly accountId: string;
  /** The request_id it reports on. */
  readonly reference: string;
  readonly url: string;
  /** Bytes that every attempt sends. */
  readonly body: string;
}

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

/** Queues a delivery to a user's URL: sent if and only if the caller's transaction commits. */
export async function enqueueDelivery(tx: Tx, delivery: NewDelivery): Promise<void> {
  const { deliveries } = schema;
  const [made] = await tx
    .insert(deliveries)
    .values({ ...delivery, nextAttemptAt: sql`now()` })
    .returning();
  if (!made) return;
  await queueAttempt(tx, made);
  await announceEvent(tx, made.accountId, made.id);
}

/**
 * Tells those who listen to the events of an account of one, once the transaction is committed.
 * @param event id of a delivery or of an ended job, or the JSON of a test event
 */
export async function announceEvent(tx: Executor, accountId: string, event: string): Promise<void> {
  await notify(tx, 'delivery', accountId, event);
}

/**
 * Returns the time of the next attempt.
 * @param attempts made so far, 1 or more
 * @returns null after the last one
 */
export function nextAttemptAt(attempts: number, now: Date): Date | null {
  const pauseMs = PAUSES_MS[attempts - 1];
  return pauseMs === undefined ? null : new Date(now.getTime() + pauseMs);
}
