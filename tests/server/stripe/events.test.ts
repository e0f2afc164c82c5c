import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteAccount } from '../../../server/account-data/index.ts';
import { openAccount } from '../../../server/accounts/index.ts';
import { schema } from '../../../server/base/database/db.ts';
import { createLogger } from '../../../server/base/log.ts';
import {
  chargeAutomaticTopUps,
  collectOwedRefunds,
  createCheckout,
  deleteRetiredCustomers,
  findAutomaticTopUp,
  handleEvent,
  stopAutomaticTopUps,
} from '../../../server/stripe/index.ts';
import { hold, readBalance, reconcileBalances, release } from '../../../server/wallet/index.ts';
import { type SignedEvent, type StandInStripe, startStandInStripe } from '../../support/servers/stripe.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const CENT = 10_000n;

let stripe: StandInStripe;
let api: TestApi;
let accountId: string;
/** Person for whom the account was opened, and who pays. */
let payerId: string;
let people = 0;
beforeAll(async () => {
  stripe = await startStandInStripe();
  api = await startApi(stripe.environment, '0');
});
afterAll(async () => {
  await api.close();
  await stripe.close();
});
beforeEach(async () => {
  stripe.isDown = false;
  stripe.declines = undefined;
  people += 1;
  const email = `payer-${people}@example.com`;
  accountId = (await openAccount(api.ctx.db, email)).accountId;
  const [user] = await api.ctx.db
    .insert(schema.users)
    .values({ accountId, email, name: 'Ada' })
    .returning({ id: schema.users.id });
  payerId = user?.id ?? '';
});

const deliver = ({ body, signature }: Pick<SignedEvent, 'body' | 'signature'>) =>
  api.call('POST', '/api/stripe/webhook', {
    body: new TextEncoder().encode(body),
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
  });
const own = () => ({ darkroom_account: accountId });
/** Runs an action at Stripe, and returns the events that it caused. */
function eventsOf(act: () => void): readonly SignedEvent[] {
  const before = stripe.events.length;
  act();
  return stripe.events.slice(before);
}
async function eventsAfter(act: () => Promise<unknown>): Promise<readonly SignedEvent[]> {
  const before = stripe.events.length;
  await act();
  return stripe.events.slice(before);
}
async function deliverAll(events: readonly SignedEvent[]): Promise<void> {
  for (const event of events) expect((await deliver(event)).status).toBe(200);
}
const cents = async (account = accountId) => Number((await readBalance(api.ctx.db, account)).balance / CENT);

test('POST /stripe/webhook 200: a payment is credited once, however many of its events come at a time', async () => {
  const id = stripe.begin(2000, own());
  const events = eventsOf(() => stripe.pay(id));
  const answers = await Promise.all([...events, ...events, ...events].map(deliver));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(await cents()).toBe(2000);
});

test('POST /stripe/webhook 400 for a wrong signature, an altered body and none', async () => {
  const id = stripe.begin(2000, own());
  const [event] = eventsOf(() => stripe.pay(id));
  const { body, signature } = event as SignedEvent;
  for (const wrong of [
    { body: body.replace('evt_', 'evt_x'), signature },
    { body, signature: signature.replace(/v1=.{4}/, 'v1=0000') },
    { body, signature: '' },
  ]) {
    const { status, body: answer } = await deliver(wrong);
    expect([status, answer.message]).toEqual([400, expect.stringContaining('Stripe-Signature')]);
  }
  expect(await cents()).toBe(0);
});

test('POST /stripe/webhook 413 for a body of more than a megabyte', async () => {
  const { status } = await deliver({ body: 'x'.repeat(1_000_001), signature: 'x' });
  expect(status).toBe(413);
});

test('POST /stripe/webhook 503 while Stripe does not answer, and the event counts when it comes again', async () => {
  const id = stripe.begin(500, own());
  const [event] = eventsOf(() => stripe.pay(id));
  stripe.isDown = true;
  expect((await deliver(event as SignedEvent)).status).toBe(503);
  stripe.isDown = false;
  await deliverAll([event as SignedEvent]);
  expect(await cents()).toBe(500);
});

test('POST /stripe/webhook 200 for a payment that Stripe does not know, which moves nothing', async () => {
  const object = { id: 'pi_unknown', object: 'payment_intent' };
  const body = JSON.stringify({
    id: 'evt_x',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object },
  });
  const secret = stripe.environment.STRIPE_WEBHOOK_SECRET ?? '';
  const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload: body, secret });
  expect((await deliver({ body, signature })).status).toBe(200);
  const lines: string[] = [];
  const log = createLogger('warn', 'test', { write: (line: string) => void lines.push(line) });
  await handleEvent({ ...api.ctx, log }, body, signature);
  expect(lines).toEqual([expect.stringContaining('Stripe does not know the payment')]);
});

test('POST /stripe/webhook 503 without keys', async () => {
  const bare = await startApi({}, '0');
  const { status, body } = await bare.call('POST', '/api/stripe/webhook', { body: {} });
  expect([status, body.message]).toEqual([503, expect.stringContaining('STRIPE_SECRET_KEY')]);
  await bare.close();
});

test('an event for an unknown account, or of another program, moves nothing', async () => {
  const unknown = stripe.begin(500, { darkroom_account: '00000000-0000-4000-8000-000000000000' });
  const broken = stripe.begin(500, { darkroom_account: 'nobody' });
  const foreign = stripe.begin(500, {});
  await deliverAll(eventsOf(() => [unknown, broken, foreign].forEach(stripe.pay)));
  const { ok } = await reconcileBalances(api.ctx.db);
  expect([ok, await cents()]).toEqual([true, 0]);
});

test('a payment by bank is credited when the money comes, and not when it fails', async () => {
  const [late, failed] = [stripe.begin(500, own()), stripe.begin(700, own())];
  await deliverAll(eventsOf(() => [late, failed].forEach(stripe.payLater)));
  expect(await cents()).toBe(0);
  await deliverAll(eventsOf(() => stripe.fail(failed)));
  await deliverAll(eventsOf(() => stripe.pay(late)));
  expect(await cents()).toBe(500);
});

test('refunds and disputes take back what they are for, and a won dispute returns it', async () => {
  const id = stripe.begin(2000, own());
  await deliverAll(eventsOf(() => stripe.pay(id)));
  await deliverAll(eventsOf(() => stripe.refund(id, 300)));
  expect(await cents()).toBe(1700);
  await deliverAll(eventsOf(() => stripe.dispute(id, 1700)));
  expect(await cents()).toBe(0);
  await deliverAll(eventsOf(() => stripe.endDispute(id, 'won')));
  expect(await cents()).toBe(1700);
  await deliverAll(eventsOf(() => stripe.dispute(id, 1700)));
  await deliverAll(eventsOf(() => stripe.endDispute(id, 'lost')));
  expect(await cents()).toBe(0);
});

test('a slow answer of Stripe does not undo what a later event says', async () => {
  const id = stripe.begin(2000, own());
  await deliverAll(eventsOf(() => stripe.pay(id)));
  const [first] = eventsOf(() => stripe.refund(id, 100));
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  stripe.delay = promise;
  const asked = stripe.requests.length;
  const slow = deliver(first as SignedEvent);
  await expect.poll(() => stripe.requests.length).toBe(asked + 1);
  const [second] = eventsOf(() => stripe.refund(id, 200));
  let isDone = false;
  const late = deliver(second as SignedEvent).then(() => {
    isDone = true;
  });
  const waits = sql`select 1 from pg_locks where locktype = 'advisory' and not granted`;
  await expect.poll(async () => isDone || (await api.ctx.db.execute(waits)).length > 0).toBe(true);
  resolve();
  await Promise.all([slow, late]);
  expect(await cents()).toBe(1700);
});

test('what is held or spent stays owed, and the end of a hold or the next payment pays it', async () => {
  const id = stripe.begin(1000, own());
  await deliverAll(eventsOf(() => stripe.pay(id)));
  await hold(api.ctx.db, { accountId, amount: 400n * CENT, reference: `held-${accountId}` });
  await deliverAll(eventsOf(() => stripe.refund(id, 1000)));
  expect(await cents()).toBe(400);
  const next = stripe.begin(500, own());
  await deliverAll(eventsOf(() => stripe.pay(next)));
  expect(await cents()).toBe(500);
  await release(api.ctx.db, { reference: `held-${accountId}` });
  await collectOwedRefunds(api.ctx);
  expect(await cents()).toBe(500);
});

const ACTIONS = ['pay', 'payLater', 'fail', 'refund', 'dispute', 'won', 'lost'] as const;

/** Lists what the payer or the bank may do as a payment stands. */
function actionsOf(id: string): readonly (typeof ACTIONS)[number][] {
  const { charge, disputes } = stripe.payments.get(id) ?? { charge: 'failed', disputes: [] };
  const isPaid = charge === 'succeeded';
  const isOpen = disputes.at(-1)?.status === 'needs_response';
  const isPossible = {
    pay: !isPaid && charge !== 'failed',
    payLater: charge === 'none',
    fail: charge === 'pending',
    refund: isPaid && !isOpen,
    dispute: isPaid && disputes.length === 0,
    won: isOpen,
    lost: isOpen,
  };
  return ACTIONS.filter((action) => isPossible[action]);
}

/** Does one of the possible actions. */
function act(id: string, choice: number, amount: number): void {
  const actions = actionsOf(id);
  const action = actions[choice % actions.length];
  if (action === 'refund' || action === 'dispute') stripe[action](id, amount);
  else if (action === 'won' || action === 'lost') stripe.endDispute(id, action);
  else if (action) stripe[action](id);
}

/** Returns what the final state of a payment leaves in the wallet, in cents. */
function leftOf(id: string): number {
  const payment = stripe.payments.get(id);
  if (payment?.charge !== 'succeeded') return 0;
  const lost = payment.disputes.filter(({ status }) => status !== 'won');
  const withheld = lost.reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, payment.amount - payment.refunded - withheld);
}

test('events in any order, repeated and late, end in the balance that the payments say', async () => {
  const step = fc.record({
    payment: fc.nat({ max: 2 }),
    choice: fc.nat({ max: 11 }),
    amount: fc.integer({ min: 1, max: 2500 }),
  });
  const story = fc.record({
    steps: fc.array(step, { maxLength: 12 }),
    amounts: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 500, max: 3000 }))),
    // Each number picks one of the events that are still to come, or repeats one.
    order: fc.array(fc.nat({ max: 40 }), { maxLength: 15 }),
    isParallel: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(story, async ({ steps, amounts, order, isParallel }) => {
      people += 1;
      const account = await openAccount(api.ctx.db, `payer-${people}@example.com`);
      const ids = amounts.map((amount) => stripe.begin(amount, { darkroom_account: account.accountId }));
      const half = Math.floor(steps.length / 2);
      const run = (part: typeof steps) =>
        eventsOf(() => {
          for (const { payment, choice, amount } of part) act(ids[payment] ?? '', choice, amount);
        });
      const pick = (events: readonly SignedEvent[]) =>
        order.flatMap((at) => events[at % events.length] ?? []);
      const early = run(steps.slice(0, half));
      await deliverAll(pick(early).slice(0, 3));
      // The rest of the first events comes when later ones have happened already.
      const events = [...early, ...run(steps.slice(half))];
      const mixed = [...pick(events), ...events.toReversed()];
      if (isParallel) {
        const answers = await Promise.all(mixed.map(deliver));
        expect(answers.every(({ status }) => status === 200)).toBe(true);
      } else await deliverAll(mixed);
      expect(await cents(account.accountId)).toBe(ids.reduce((sum, id) => sum + leftOf(id), 0));
    }),
    { numRuns: 25 },
  );
  expect((await reconcileBalances(api.ctx.db)).ok).toBe(true);
}, 120_000);

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
  await deliverAll(await eventsAfter(() => fetch(url.replace('/pay/', '/paid/'), { redirect: 'manual' })));
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
  await deliverAll(await eventsAfter(() => fetch(url.replace('/pay/', '/paid/'), { redirect: 'manual' })));
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
  await deliverAll(await eventsAfter(() => fetch(url.replace('/pay/', '/paid/'), { redirect: 'manual' })));
  return [...stripe.payments.keys()].at(-1) ?? '';
}

const waitTenMinutes = () =>
  api.ctx.db.update(schema.automaticTopUps).set({ lastAttemptAt: sql`now() - interval '11 minutes'` });

test('whoever gets a refund is not charged again for the wallet that it lowers', async () => {
  const id = await saveMethod();
  await deliverAll(eventsOf(() => stripe.refund(id, 600)));
  await waitTenMinutes();
  expect([await chargeAutomaticTopUps(api.ctx), await cents()]).toEqual([0, 0]);
  const found = await findAutomaticTopUp(api.ctx.db, accountId);
  expect(found?.refusal).toBe('a payment was refunded or disputed.');
});

test('a checkout that is paid after its account was deleted starts no automatic top-ups', async () => {
  const automatic = { payerId, threshold: 50_000n * CENT, amount: 1000n * CENT };
  const { url } = await createCheckout(api.ctx, order({ amount: 600n * CENT, automatic }));
  await deleteAccount(api.ctx, accountId);
  await deliverAll(await eventsAfter(() => fetch(url.replace('/pay/', '/paid/'), { redirect: 'manual' })));
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
  return async () =>
    await deliverAll(await eventsAfter(() => fetch(url.replace('/pay/', '/paid/'), { redirect: 'manual' })));
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

test('whoever stops automatic top-ups is not charged by a checkout of before, and Stripe forgets the payer', async () => {
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
  await deliverAll(eventsOf(() => stripe.payLater(id)));
  const failed = eventsOf(() => stripe.fail(id)).filter(({ type }) => !type.startsWith('checkout'));
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
  await deliverAll(eventsOf(() => stripe.fail(id)));
  expect((await findAutomaticTopUp(api.ctx.db, accountId))?.refusal).toBeNull();
  // Whichever method there is, a refund ends them.
  await deliverAll(eventsOf(() => stripe.refund(first, 600)));
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
