import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { getDomain } from 'tldts';
import { type Executor, schema, type Tx } from '../../base/database/db.ts';
import { notify, notifying } from '../../base/database/notifications.ts';
import { type Writes, writeTogether } from '../../base/database/queries.ts';
import { enqueue, queueing, waking } from '../../base/queue/index.ts';

/** Lane of deliveries. */
const LANE = 'delivery';

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
    lane: LANE,
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
  await writeTogether(tx, delivering(tx, delivery));
}

/** Returns what {@link enqueueDelivery} writes, and the expressions that tell of it. */
export function delivering(tx: Tx, delivery: NewDelivery): Writes {
  const { accountId, url } = delivery;
  const id = randomUUID();
  const row = { ...delivery, id, nextAttemptAt: sql`now()` };
  return {
    writes: [
      tx.insert(schema.deliveries).values(row).getSQL(),
      queueing({ id, lane: LANE, accountId, host: findReceiverDomain(url) }),
    ],
    notifications: [waking(LANE), announcing(accountId, id)],
  };
}

/** Tells those who listen to the events of an account of one. */
export async function announceEvent(db: Executor, accountId: string, event: string): Promise<void> {
  await notify(db, 'delivery', accountId, event);
}

/**
 * Returns the expression that tells those who listen to the events of an account of one, once the transaction is committed.
 * @param event id of a delivery or of an ended job, or the JSON of a test event
 */
export function announcing(accountId: string, event: string): SQL {
  return notifying('delivery', accountId, event);
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
