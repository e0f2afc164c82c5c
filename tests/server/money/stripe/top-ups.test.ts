import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteAccount } from '../../../../server/api/account/delete-account.ts';
import { schema } from '../../../../server/base/database/db.ts';
import {
  chargeAutomaticTopUps,
  createCheckout,
  deleteRetiredCustomers,
  findAutomaticTopUp,
  stopAutomaticTopUps,
} from '../../../../server/money/stripe/index.ts';
import type { StandInStripe } from '../../../support/servers/stripe.ts';
import type { TestApi } from '../../../support/service/api.ts';
import { hold } from '../../../support/service/move-money.ts';
import { createPayments } from '../../../support/service/stand-in-payments.ts';

const CENT = 10_000n;
const { start, close, openPayer, deliverAll, getEvents, payCheckout, cents } = createPayments();

let stripe: StandInStripe;
let api: TestApi;
let accountId: string;
/** Person for whom the account was opened, and who pays. */
let payerId: string;
beforeAll(async () => {
  ({ api, stripe } = await start());
});
afterAll(close);
beforeEach(async () => {
  ({ accountId, payerId } = await openPayer());
});

const own = () => ({ darkroom_account: accountId });

const order = (more: object = {}) => ({
  accountId,
  email: 'payer@example.com',
  amount: 2000n * CENT,
  idempotencyKey: accountId,
  returnPath: '/dashboard/top-up' as const,
  ...more,
});

test('a checkout leads to Stripe and back, and its payment fills the wallet', async () => {
  const { url } = await createCheckout(api.ctx, order());
  const pages = await (await fetch(url)).text();
  expect(pages).toContain('/dashboard/top-up?checkout=left');
  await payCheckout(url);
  expect(await cents()).toBe(2000);
});

test.each([499n * CENT, 100_001n * CENT, 2000n * CENT + 1n, 0n, -500n * CENT])(
  'a checkout of %s millionths of a dollar is refused with the range',
  async (amount) => {
    const error = expect.objectContaining({
      code: 'bad_request',
      message: 'amount: must be 5.00 to 1000.00 USD, in whole cents.',
    });
    await expect(createCheckout(api.ctx, order({ amount }))).rejects.toEqual(error);
  },
);

test('a wallet that runs low is filled once from the saved method, until the bank refuses', async () => {
  const automatic = { payerId, threshold: 500n * CENT, amount: 1000n * CENT };
  const { url } = await createCheckout(api.ctx, order({ amount: 600n * CENT, automatic }));
  await payCheckout(url);
  expect(await chargeAutomaticTopUps(api.ctx)).toBe(0);
  await hold(api.ctx.db, { accountId, amount: 200n * CENT, reference: `low-${accountId}` });
  const attempts = await Promise.all([chargeAutomaticTopUps(api.ctx), chargeAutomaticTopUps(api.ctx)]);
  expect([attempts.toSorted(), await cents()]).toEqual([[0, 1], 1600]);

  await hold(api.ctx.db, { accountId, amount: 1000n * CENT, reference: `low-again-${accountId}` });
  expect(await chargeAutomaticTopUps(api.ctx)).toBe(0);
  const { automaticTopUps } = schema;
  await api.ctx.db.update(automaticTopUps).set({ lastAttemptAt: null });
  stripe.declines = 'Your card was declined.';
  expect(await chargeAutomaticTopUps(api.ctx)).toBe(1);
  await api.ctx.db.update(automaticTopUps).set({ lastAttemptAt: null });
  expect([await chargeAutomaticTopUps(api.ctx), await cents()]).toEqual([0, 1600]);
});

/** Saves a payment method, and lowers the wallet so that a top-up is due. */
async function saveMethod(): Promise<string> {
  const automatic = { payerId, threshold: 50_000n * CENT, amount: 1000n * CENT };
  const { url } = await createCheckout(api.ctx, order({ amount: 600n * CENT, automatic }));
  await payCheckout(url);
  return [...stripe.payments.keys()].at(-1) ?? '';
}

const waitTenMinutes = () =>
  api.ctx.db.update(schema.automaticTopUps).set({ lastAttemptAt: sql`now() - interval '11 minutes'` });

test('a payer who gets a refund is not charged again for the wallet that it lowers', async () => {
  const id = await saveMethod();
  await deliverAll(getEvents(() => stripe.refund(id, 600)));
  await waitTenMinutes();
  expect([await chargeAutomaticTopUps(api.ctx), await cents()]).toEqual([0, 0]);
  const found = await findAutomaticTopUp(api.ctx.db, accountId);
  expect(found?.refusal).toBe('a payment was refunded or disputed.');
});

test('a checkout that is paid after its account was deleted starts no automatic top-ups', async () => {
  const automatic = { payerId, threshold: 50_000n * CENT, amount: 1000n * CENT };
  const { url } = await createCheckout(api.ctx, order({ amount: 600n * CENT, automatic }));
  await deleteAccount(api.ctx, accountId);
  await payCheckout(url);
  expect(await findAutomaticTopUp(api.ctx.db, accountId)).toBeNull();
  expect(await chargeAutomaticTopUps(api.ctx)).toBe(0);
});

/** Opens a checkout for automatic top-ups of an amount in cents. @returns a function that pays it */
async function openAutomatic(amount: bigint, secondsAhead = 0): Promise<() => Promise<void>> {
  stripe.secondsAhead = secondsAhead;
  const automatic = { payerId, threshold: 500n * CENT, amount: amount * CENT };
  const { url } = await createCheckout(
    api.ctx,
    order({ automatic, idempotencyKey: `${accountId} ${amount}` }),
  );
  stripe.secondsAhead = 0;
  return () => payCheckout(url);
}

test('the newest choice of automatic top-ups stays, however late an older one is paid, and its payer alone', async () => {
  await deleteRetiredCustomers(api.ctx);
  const others = new Set(stripe.customers);
  const payOld = await openAutomatic(1000n, -60);
  const payNew = await openAutomatic(2000n);
  await payNew();
  await payOld();
  expect(await findAutomaticTopUp(api.ctx.db, accountId)).toMatchObject({ amount: 2000n * CENT });
  expect(await deleteRetiredCustomers(api.ctx)).toBe(1);
  const [row] = await api.ctx.db
    .select()
    .from(schema.automaticTopUps)
    .where(eq(schema.automaticTopUps.accountId, accountId));
  expect([...stripe.customers].filter((id) => !others.has(id))).toEqual([row?.customerId]);

  const payLater = await openAutomatic(3000n);
  await payLater();
  expect(await findAutomaticTopUp(api.ctx.db, accountId)).toMatchObject({ amount: 3000n * CENT });
  expect(await deleteRetiredCustomers(api.ctx)).toBe(1);
});

test('an owner who stops automatic top-ups is not charged by a checkout of before, and Stripe forgets the payer', async () => {
  await deleteRetiredCustomers(api.ctx);
  const others = new Set(stripe.customers);
  const payOld = await openAutomatic(1000n, -60);
  await (await openAutomatic(2000n, -30))();
  await stopAutomaticTopUps(api.ctx.db, accountId);
  await payOld();
  expect(await findAutomaticTopUp(api.ctx.db, accountId)).toBeNull();
  expect(await chargeAutomaticTopUps(api.ctx)).toBe(0);
  stripe.isDown = true;
  expect(await deleteRetiredCustomers(api.ctx)).toBe(0);
  stripe.isDown = false;
  await api.ctx.db.update(schema.retiredCustomers).set({ retryAt: new Date(0) });
  expect(await deleteRetiredCustomers(api.ctx)).toBe(2);
  expect([...stripe.customers].filter((id) => !others.has(id))).toEqual([]);

  await (await openAutomatic(3000n))();
  expect(await findAutomaticTopUp(api.ctx.db, accountId)).toMatchObject({ amount: 3000n * CENT });
});

test('with its account, the payer at Stripe is deleted, also of a checkout that is paid afterwards', async () => {
  await deleteRetiredCustomers(api.ctx);
  const others = new Set(stripe.customers);
  await (await openAutomatic(1000n))();
  const payLate = await openAutomatic(2000n);
  await deleteAccount(api.ctx, accountId);
  await payLate();
  expect(await deleteRetiredCustomers(api.ctx)).toBe(2);
  expect([...stripe.customers].filter((id) => !others.has(id))).toEqual([]);
  const { automaticTopUps } = schema;
  expect(await api.ctx.db.$count(automaticTopUps, eq(automaticTopUps.accountId, accountId))).toBe(0);
});

test('while an automatic payment waits for the bank, no other is made', async () => {
  await saveMethod();
  const row = {
    id: `pi_pending_${accountId}`,
    accountId,
    state: 'pending',
    due: 0n,
    createdAt: new Date(),
  } as const;
  await api.ctx.db.insert(schema.payments).values({ ...row, isAutomatic: true });
  expect(await chargeAutomaticTopUps(api.ctx)).toBe(0);
});

test('an automatic payment that the bank refuses later ends automatic top-ups, by the event of the payment alone', async () => {
  await saveMethod();
  const id = stripe.begin(1000, { ...own(), darkroom_automatic: 'true' });
  await deliverAll(getEvents(() => stripe.payLater(id)));
  const failed = getEvents(() => stripe.fail(id)).filter(({ type }) => !type.startsWith('checkout'));
  await deliverAll(failed);
  await waitTenMinutes();
  expect([await chargeAutomaticTopUps(api.ctx), await cents()]).toEqual([0, 600]);
  const found = await findAutomaticTopUp(api.ctx.db, accountId);
  expect(found?.refusal).toBe('the bank refused a payment.');
});

test('a refusal of the former payment method that comes late leaves automatic top-ups with the next one', async () => {
  const first = await saveMethod();
  const id = stripe.begin(1000, { ...own(), darkroom_automatic: 'true' });
  stripe.payLater(id);
  // As after another checkout.
  await api.ctx.db
    .update(schema.automaticTopUps)
    .set({ orderedAt: sql`now() + interval '2 seconds'` })
    .where(eq(schema.automaticTopUps.accountId, accountId));
  await deliverAll(getEvents(() => stripe.fail(id)));
  expect((await findAutomaticTopUp(api.ctx.db, accountId))?.refusal).toBeNull();
  // Whichever method there is, a refund ends them.
  await deliverAll(getEvents(() => stripe.refund(first, 600)));
  expect((await findAutomaticTopUp(api.ctx.db, accountId))?.refusal).not.toBeNull();
});

test('an attempt whose outcome was lost is repeated under its own idempotency key: it charges once', async () => {
  await saveMethod();
  const before = stripe.payments.size;
  stripe.isDown = true;
  expect(await chargeAutomaticTopUps(api.ctx)).toBe(1);
  stripe.isDown = false;
  const { automaticTopUps } = schema;
  const [row] = await api.ctx.db
    .select()
    .from(automaticTopUps)
    .where(eq(automaticTopUps.accountId, accountId));
  expect(row?.attemptCount).toBe(0);
  await waitTenMinutes();
  expect(await chargeAutomaticTopUps(api.ctx)).toBe(1);
  expect(stripe.payments.size).toBe(before + 1);
});
