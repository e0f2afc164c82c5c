import { and, eq, lte, sql } from 'drizzle-orm';
import { createSemaphore } from '../../../models/core/concurrency/semaphore.ts';
import type { Context } from '../../base/context/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { tryLockOpenAccount } from '../../base/database/lock-account.ts';
import { startAutomaticTopUps } from './automatic-top-up.ts';
import { getStripe } from './client.ts';
import { fetchPayment, type PaymentState, type SavedMethod } from './payment-state.ts';
import { retireCustomer } from './retired-customers.ts';
import { lockPayments, settlePayments } from './settle-payments.ts';

/** Outcome of a synchronisation: `foreign` when no account of ours is named. */
type SyncOutcome = 'synced' | 'foreign';

/** Each holds a connection to the database while it asks Stripe. */
const syncSemaphore = createSemaphore(4);

/**
 * Brings a payment and its account's wallet to what Stripe says of the payment now. Any number of calls in any order
 * end in the same balance.
 * @param also statements of the same transaction, run first; it ends there when they return false
 * @throws Stripe.errors.StripeError when Stripe does not respond; nothing is written then
 */
export async function syncPayment(
  ctx: Context,
  id: string,
  also: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<SyncOutcome> {
  const release = await syncSemaphore.acquire(ctx.stopping);
  try {
    const accountId = await findPayingAccount(ctx, id);
    return await ctx.db.transaction(async (tx) => {
      if (!(await also(tx))) return 'synced';
      if (accountId === undefined) return 'foreign';
      await lockPayments(tx, accountId);
      // Asked within the lock: an older response can never overwrite a newer one.
      await storePayment(tx, accountId, await fetchPayment(getStripe(ctx.env), id));
      await settlePayments(tx, accountId);
      return 'synced';
    });
  } finally {
    release();
  }
}

async function findPayingAccount({ db, env }: Context, id: string): Promise<string | undefined> {
  const { payments, accounts } = schema;
  const [known] = await db
    .select({ accountId: payments.accountId })
    .from(payments)
    .where(eq(payments.id, id));
  if (known) return known.accountId;
  const { accountId } = await fetchPayment(getStripe(env), id);
  if (accountId === undefined) return undefined;
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(sql`id::text = ${accountId}`);
  return account?.id;
}

async function storePayment(tx: Tx, accountId: string, found: PaymentState): Promise<void> {
  const { payments } = schema;
  const { id, saved, accountId: _, createdAt, ...facts } = found;
  const [before] = await tx
    .select({ state: payments.state, refunded: payments.refunded, disputed: payments.disputed })
    .from(payments)
    .where(eq(payments.id, id));
  await tx
    .insert(payments)
    .values({ id, accountId, createdAt, ...facts })
    .onConflictDoUpdate({ target: payments.id, set: { ...facts, updatedAt: sql`now()` } });
  // Once only: a later refund of this payment must not undo what the owner has chosen since.
  if (saved && before?.state !== 'paid') await saveMethod(tx, accountId, saved);
  const hasLost = facts.refunded > (before?.refunded ?? 0n) || facts.disputed > (before?.disputed ?? 0n);
  // A payer who gets money back, or disputes a charge, must not be charged again for it.
  if (hasLost) await disableAutomaticTopUps(tx, accountId, 'a payment was refunded or disputed.');
  const hasFailed = facts.isAutomatic && facts.state === 'failed' && before?.state !== 'failed';
  // A method that was saved after this payment began is another one.
  if (hasFailed) await disableAutomaticTopUps(tx, accountId, 'the bank refused a payment.', createdAt);
}

/**
 * Ends attempts until the owner sets a payment method up again. A reason that is known already stays.
 * @param orderedUntil spares a method that was chosen later
 */
async function disableAutomaticTopUps(
  tx: Tx,
  accountId: string,
  reason: string,
  orderedUntil?: Date,
): Promise<void> {
  const { automaticTopUps } = schema;
  const { refusal, orderedAt } = automaticTopUps;
  await tx
    .update(automaticTopUps)
    .set({ refusal: sql`coalesce(${refusal}, ${reason})` })
    .where(and(eq(automaticTopUps.accountId, accountId), orderedUntil && lte(orderedAt, orderedUntil)));
}

async function saveMethod(tx: Tx, accountId: string, saved: SavedMethod): Promise<void> {
  if (await tryLockOpenAccount(tx, accountId)) return await startAutomaticTopUps(tx, accountId, saved);
  // A checkout that was open when its account was deleted: no member could end what it would start.
  await retireCustomer(tx, saved.customerId);
}
