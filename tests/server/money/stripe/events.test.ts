import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../../../server/base/log.ts';
import { handleEvent, retryOutstandingRefunds } from '../../../../server/money/stripe/index.ts';
import { reconcileBalances, release } from '../../../../server/money/wallet/index.ts';
import type { SignedEvent, StandInStripe } from '../../../support/servers/stripe.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { hold } from '../../../support/service/move-money.ts';
import { createPayments } from '../../../support/service/stand-in-payments.ts';

const CENT = 10_000n;
const { start, close, openEmptyAccount, openPayer, deliver, deliverAll, getEvents, cents } = createPayments();

let stripe: StandInStripe;
let api: TestApi;
let accountId: string;
beforeAll(async () => {
  ({ api, stripe } = await start());
});
afterAll(close);
beforeEach(async () => {
  ({ accountId } = await openPayer());
});

const own = () => ({ darkroom_account: accountId });

test('POST /stripe/webhook 200: a payment is credited once, however many of its events come at a time', async () => {
  const id = stripe.begin(2000, own());
  const events = getEvents(() => stripe.pay(id));
  const responses = await Promise.all([...events, ...events, ...events].map(deliver));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(await cents()).toBe(2000);
});

test('POST /stripe/webhook 400 for a wrong signature, an altered body and none', async () => {
  const id = stripe.begin(2000, own());
  const [event] = getEvents(() => stripe.pay(id));
  const { body, signature } = event as SignedEvent;
  for (const wrong of [
    { body: body.replace('evt_', 'evt_x'), signature },
    { body, signature: signature.replace(/v1=.{4}/, 'v1=0000') },
    { body, signature: '' },
  ]) {
    const { status, body: refusal } = await deliver(wrong);
    expect([status, refusal.message]).toEqual([400, expect.stringContaining('Stripe-Signature')]);
  }
  expect(await cents()).toBe(0);
});

test('POST /stripe/webhook 413 for a body of more than a megabyte', async () => {
  const { status } = await deliver({ body: 'x'.repeat(1_000_001), signature: 'x' });
  expect(status).toBe(413);
});

test('POST /stripe/webhook 503 while Stripe does not respond, and the event counts when it comes again', async () => {
  const id = stripe.begin(500, own());
  const [event] = getEvents(() => stripe.pay(id));
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
  const broken = stripe.begin(500, { darkroom_account: 'no-account' });
  const foreign = stripe.begin(500, {});
  await deliverAll(getEvents(() => [unknown, broken, foreign].forEach(stripe.pay)));
  const { ok } = await reconcileBalances(api.ctx.db);
  expect([ok, await cents()]).toEqual([true, 0]);
});

test('a payment by bank is credited when the money comes, and not when it fails', async () => {
  const [late, failed] = [stripe.begin(500, own()), stripe.begin(700, own())];
  await deliverAll(getEvents(() => [late, failed].forEach(stripe.payLater)));
  expect(await cents()).toBe(0);
  await deliverAll(getEvents(() => stripe.fail(failed)));
  await deliverAll(getEvents(() => stripe.pay(late)));
  expect(await cents()).toBe(500);
});

test('refunds and disputes take back what they are for, and a won dispute returns it', async () => {
  const id = stripe.begin(2000, own());
  await deliverAll(getEvents(() => stripe.pay(id)));
  await deliverAll(getEvents(() => stripe.refund(id, 300)));
  expect(await cents()).toBe(1700);
  await deliverAll(getEvents(() => stripe.dispute(id, 1700)));
  expect(await cents()).toBe(0);
  await deliverAll(getEvents(() => stripe.endDispute(id, 'won')));
  expect(await cents()).toBe(1700);
  await deliverAll(getEvents(() => stripe.dispute(id, 1700)));
  await deliverAll(getEvents(() => stripe.endDispute(id, 'lost')));
  expect(await cents()).toBe(0);
});

test('a slow response of Stripe does not undo what a later event says', async () => {
  const id = stripe.begin(2000, own());
  await deliverAll(getEvents(() => stripe.pay(id)));
  const [first] = getEvents(() => stripe.refund(id, 100));
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  stripe.delay = promise;
  const asked = stripe.requests.length;
  const slow = deliver(first as SignedEvent);
  await expect.poll(() => stripe.requests.length).toBe(asked + 1);
  const [second] = getEvents(() => stripe.refund(id, 200));
  stripe.delay = undefined;
  const idle = sql`select from pg_stat_activity where datname = current_database() and state like 'idle in%'`;
  expect(await api.ctx.db.execute(idle)).toEqual([]);
  await deliverAll([second as SignedEvent]);
  expect(await cents()).toBe(1700);
  resolve();
  expect((await slow).status).toBe(200);
  expect(await cents()).toBe(1700);
});

test('what is held or spent stays owed, and the end of a hold or the next payment pays it', async () => {
  const id = stripe.begin(1000, own());
  await deliverAll(getEvents(() => stripe.pay(id)));
  await hold(api.ctx.db, { accountId, amount: 400n * CENT, reference: `held-${accountId}` });
  await deliverAll(getEvents(() => stripe.refund(id, 1000)));
  expect(await cents()).toBe(400);
  const next = stripe.begin(500, own());
  await deliverAll(getEvents(() => stripe.pay(next)));
  expect(await cents()).toBe(500);
  await release(api.ctx.db, { reference: `held-${accountId}` });
  await retryOutstandingRefunds(api.ctx);
  expect(await cents()).toBe(500);
});

const ACTIONS = ['pay', 'payLater', 'fail', 'refund', 'dispute', 'won', 'lost'] as const;

/** Lists what the payer or the bank may do as a payment stands. */
function getActions(id: string): readonly (typeof ACTIONS)[number][] {
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
  const actions = getActions(id);
  const action = actions[choice % actions.length];
  if (action === 'refund' || action === 'dispute') stripe[action](id, amount);
  else if (action === 'won' || action === 'lost') stripe.endDispute(id, action);
  else if (action) stripe[action](id);
}

/** Returns what the final state of a payment leaves in the wallet, in cents. */
function getLeft(id: string): number {
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
      const account = await openEmptyAccount();
      const ids = amounts.map((amount) => stripe.begin(amount, { darkroom_account: account.accountId }));
      const half = Math.floor(steps.length / 2);
      const run = (part: typeof steps) =>
        getEvents(() => {
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
        const responses = await Promise.all(mixed.map(deliver));
        expect(responses.every(({ status }) => status === 200)).toBe(true);
      } else await deliverAll(mixed);
      expect(await cents(account.accountId)).toBe(ids.reduce((sum, id) => sum + getLeft(id), 0));
    }),
    { numRuns: 25 },
  );
  expect((await reconcileBalances(api.ctx.db)).ok).toBe(true);
}, 120_000);
