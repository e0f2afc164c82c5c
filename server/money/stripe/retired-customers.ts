import { eq, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import type { Context } from '../../base/context.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { getStripe } from './client.ts';

const { retiredCustomers } = schema;

const CUSTOMERS_MAX = 20;

/** Marks a payer at Stripe for deletion, in the transaction that ends its use. */
export async function retireCustomer(tx: Executor, customerId: string): Promise<void> {
  await tx.insert(retiredCustomers).values({ customerId }).onConflictDoNothing();
}

/**
 * Deletes retired payers at Stripe, which detaches their payment methods; their payments stay. What Stripe refuses is
 * tried again after an hour.
 * @returns the number of deleted ones
 */
export async function deleteRetiredCustomers(ctx: Context): Promise<number> {
  const { db, env, log } = ctx;
  const due = await db.execute<{ customerId: string }>(sql`
    update retired_customers set retry_at = now() + interval '1 hour' where customer_id in (
      select customer_id from retired_customers where retry_at <= now()
      limit ${CUSTOMERS_MAX} for update skip locked)
    returning customer_id as "customerId"`);
  let deleted = 0;
  for (const { customerId } of due) {
    try {
      await getStripe(env).customers.del(customerId);
    } catch (error) {
      const isGone = error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';
      if (!isGone) {
        log.warn({ err: error, customerId }, 'a payer could not be deleted at Stripe');
        continue;
      }
    }
    await db.delete(retiredCustomers).where(eq(retiredCustomers.customerId, customerId));
    deleted += 1;
  }
  return deleted;
}
