import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';
import { queueAttempt } from './queue-attempt.ts';

/**
 * Sends a delivery again at once, whatever its state: the same bytes under the same `webhook-id`.
 * @throws OperationError `not_found`, also for another account's delivery
 */
export async function resendDelivery(
  ctx: Context,
  { accountId, deliveryId }: { accountId: string; deliveryId: string },
): Promise<void> {
  const { deliveries } = schema;
  await ctx.db.transaction(async (tx) => {
    const [found] = z.uuid().safeParse(deliveryId).success
      ? await tx
          .update(deliveries)
          .set({ state: 'pending', nextAttemptAt: sql`now()` })
          .where(and(eq(deliveries.id, deliveryId), eq(deliveries.accountId, accountId)))
          .returning()
      : [];
    if (!found) throw new OperationError('not_found', `There is no webhook delivery "${deliveryId}".`);
    await queueAttempt(tx, found);
  });
}
