import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { type Executor, schema, type Tx } from '../../base/database/db.ts';
import { permittedRoles } from '../../base/permissions.ts';
import type { SavedMethod } from './payment-state.ts';
import { retireCustomer } from './retired-customers.ts';

const { automaticTopUps } = schema;

/** Returns the condition on a row `automatic` of `automatic_top_ups` that its payer may still pay for the account. */
export function payerIsMember(): SQL {
  return sql`(automatic.payer_id is null or exists (select from memberships payer
    where payer.account_id = automatic.account_id and payer.user_id = automatic.payer_id
      and payer.role = any(${permittedRoles('money.change')})))`;
}

/** Reads when and how an account tops up without anybody present; null when it does not. */
export async function findAutomaticTopUp(db: Executor, accountId: string) {
  const { threshold, amount, refusal } = automaticTopUps;
  const [found] = await db
    .select({ threshold, amount, refusal })
    .from(automaticTopUps)
    .where(and(eq(automaticTopUps.accountId, accountId), isNull(automaticTopUps.stoppedAt)));
  return found ?? null;
}

/**
 * Sets up automatic top-ups, unless the owner has chosen otherwise since. The payer that is not used any more is
 * deleted at Stripe soon.
 */
export async function startAutomaticTopUps(tx: Tx, accountId: string, saved: SavedMethod): Promise<void> {
  const before = await lockRow(tx, accountId);
  if (before && before.orderedAt > saved.orderedAt) return await retireCustomer(tx, saved.customerId);
  if (before?.customerId && before.customerId !== saved.customerId)
    await retireCustomer(tx, before.customerId);
  await tx
    .insert(automaticTopUps)
    .values({ accountId, ...saved })
    .onConflictDoUpdate({
      target: automaticTopUps.accountId,
      set: { ...saved, refusal: null, stoppedAt: null },
    });
}

/** Ends automatic top-ups, and has Stripe forget the saved payment method soon. */
export async function stopAutomaticTopUps(db: Executor, accountId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockRow(tx, accountId);
    if (!before?.customerId) return;
    await retireCustomer(tx, before.customerId);
    await tx
      .update(automaticTopUps)
      .set({
        customerId: null,
        paymentMethodId: null,
        payerId: null,
        stoppedAt: sql`now()`,
        // Stripe counts seconds: a checkout that is opened within this one is the later choice.
        orderedAt: sql`date_trunc('second', now())`,
      })
      .where(eq(automaticTopUps.accountId, accountId));
  });
}

async function lockRow(tx: Tx, accountId: string) {
  const { customerId, orderedAt } = automaticTopUps;
  const [row] = await tx
    .select({ customerId, orderedAt })
    .from(automaticTopUps)
    .where(eq(automaticTopUps.accountId, accountId))
    .for('update');
  return row;
}
