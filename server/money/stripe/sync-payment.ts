import { isDeepStrictEqual } from 'node:util';
import { and, eq, getTableColumns, lte, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { type Executor, schema, type Tx } from '../../base/database/db.ts';
import { tryLockOpenAccount } from '../../base/database/lock-account.ts';
import { startAutomaticTopUps } from './automatic-top-up.ts';
import { getStripe } from './client.ts';
import { fetchPayment, type PaymentState, type SavedMethod } from './payment-state.ts';
import { retireCustomer } from './retired-customers.ts';
import { lockPayments, settlePayments } from './settle-payments.ts';

/** Outcome of a synchronisation: `foreign` when no account of ours is named. */
type SyncOutcome = 'synced' | 'foreign';

/** Readings of a payment that others change at the same time. Stripe sends an event again that took more. */
const READINGS_MAX = 10;

/**
 * Brings a payment and its account's wallet to what Stripe says of the payment now. Any number of calls in any order
 * end in the same balance. Stripe is asked before the transaction; a payment that another call has stored since is
 * read again, so an older response never overwrites a newer one.
 * @param also statements of the same transaction, run first; it ends there when they return false
 * @throws Stripe.errors.StripeError when Stripe does not respond; nothing is written then
 * @throws OperationError `unavailable` when others keep changing the payment
 */
export async function syncPayment(
  ctx: Context,
  id: string,
  also: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<SyncOutcome> {
  for (let reading = 0; reading < READINGS_MAX; reading += 1) {
    const known = await findPayment(ctx.db, id);
    const found = await fetchPayment(getStripe(ctx.env), id);
    const accountId = known?.accountId ?? (await findAccount(ctx.db, found.accountId));
    const outcome = await ctx.db.transaction(async (tx) => {
      if (accountId !== undefined) {
        await lockPayments(tx, accountId);
        if ((await findPayment(tx, id))?.version !== known?.version) return 'overtaken';
      }
      if (!(await also(tx))) return 'synced';
      if (accountId === undefined) return 'foreign';
      await storePayment(tx, accountId, found, known);
      await settlePayments(tx, accountId);
      return 'synced';
    });
    if (outcome !== 'overtaken') return outcome;
  }
  throw new OperationError('unavailable', 'The payment keeps changing. Send the event again.');
}

type KnownPayment = typeof schema.payments.$inferSelect & {
  /** Differs after each change of the row. */
  readonly version: string;
};

async function findPayment(db: Executor, id: string): Promise<KnownPayment | undefined> {
  const { payments } = schema;
  const [known] = await db
    .select({ ...getTableColumns(payments), version: sql<string>`xmin::text` })
    .from(payments)
    .where(eq(payments.id, id));
  return known;
}

async function findAccount(db: Executor, accountId: string | undefined): Promise<string | undefined> {
  if (accountId === undefined) return undefined;
  const { accounts } = schema;
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(sql`id::text = ${accountId}`);
  return account?.id;
}

async function storePayment(
  tx: Tx,
  accountId: string,
  found: PaymentState,
  before: KnownPayment | undefined,
): Promise<void> {
  const { payments } = schema;
  const { id, saved, accountId: _, createdAt, ...facts } = found;
  // A row that says so already keeps its version, so that events of one change need no further readings.
  if (before && isDeepStrictEqual({ ...before, ...facts }, before)) return;
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
