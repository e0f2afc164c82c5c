import { sql } from 'drizzle-orm';
import { schema, type Tx } from '../../base/database/db.ts';
import { queueAttempt } from './queue-attempt.ts';

export interface NewDelivery {
  readonly accountId: string;
  /** The request_id it reports on. */
  readonly reference: string;
  readonly url: string;
  /** Bytes that every attempt sends. */
  readonly body: string;
}

/** Queues a delivery to a user's URL: sent if and only if the caller's transaction commits. */
export async function enqueueDelivery(tx: Tx, delivery: NewDelivery): Promise<void> {
  const { deliveries } = schema;
  const [made] = await tx
    .insert(deliveries)
    .values({ ...delivery, nextAttemptAt: sql`now()` })
    .returning();
  if (made) await queueAttempt(tx, made);
}
