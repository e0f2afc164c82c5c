import { and, eq } from 'drizzle-orm';
import { type Db, schema } from '../base/db.ts';
import { queueAttempt } from './queue-attempt.ts';

/** Queues a delivery that an earlier version has queued elsewhere; does nothing once it has ended. */
export async function requeueDelivery(db: Db, deliveryId: string): Promise<void> {
  const { deliveries } = schema;
  await db.transaction(async (tx) => {
    const [delivery] = await tx
      .select()
      .from(deliveries)
      .where(and(eq(deliveries.id, deliveryId), eq(deliveries.state, 'pending')))
      .for('share');
    if (delivery) await queueAttempt(tx, delivery, delivery.nextAttemptAt ?? undefined);
  });
}
