import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handleEvent } from '../../../../server/money/stripe/index.ts';
import { type StandInStripe, startStandInStripe } from '../../../support/servers/stripe.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard } from '../../../support/service/dashboard.ts';

let stripe: StandInStripe;
let api: TestApi;
beforeAll(async () => {
  stripe = await startStandInStripe();
  api = await startApi({ ...stripe.environment, RATE_LIMIT_BURST: '1000' });
});
afterAll(async () => {
  await api.close();
  await stripe.close();
});

async function payAt(url: string): Promise<void> {
  const before = stripe.events.length;
  await fetch(url.replace('/pay/', '/paid/'), { redirect: 'manual' });
  for (const { body, signature } of stripe.events.slice(before)) await handleEvent(api.ctx, body, signature);
}

test('payments.checkout leads to Stripe, and its payment is listed with its receipt to its owner alone', async () => {
  const { call } = await openDashboard(api, 'payer@example.com');
  const { call: stranger } = await openDashboard(api, 'stranger@example.com');
  const { url } = await call.payments.checkout({ amountUsd: '12.50', idempotencyKey: randomUUID() });
  await payAt(url);
  expect((await call.wallet.summary()).topUp).toBe('stripe');
  expect((await call.wallet.summary()).availableUsd).toBe('17.50');
  expect(await call.payments.list()).toMatchObject([
    { state: 'paid', creditUsd: '12.50', refundedUsd: null, receiptUrl: expect.stringMatching(/^https:/) },
  ]);
  expect([await stranger.payments.list(), await call.payments.automatic()]).toEqual([[], null]);
});

test('payments.automatic follows a checkout that asks for it, and payments.stopAutomatic ends it', async () => {
  const { call } = await openDashboard(api, 'saver@example.com');
  const { call: stranger } = await openDashboard(api, 'other@example.com');
  const order = { amountUsd: '20', automaticBelowUsd: '5', idempotencyKey: randomUUID() };
  await payAt((await call.payments.checkout(order)).url);
  const expected = { belowUsd: '5.00', amountUsd: '20.00', refusal: null };
  expect(await call.payments.automatic()).toEqual(expected);
  await stranger.payments.stopAutomatic();
  expect(await call.payments.automatic()).toEqual(expected);
  await call.payments.stopAutomatic();
  expect(await call.payments.automatic()).toBeNull();
});

test.each(['4.99', '1000.01', '12.505'])('payments.checkout refuses %s US dollars', async (amountUsd) => {
  const { call } = await openDashboard(api, 'refused@example.com');
  await expect(call.payments.checkout({ amountUsd, idempotencyKey: randomUUID() })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'amount: must be 5.00 to 1000.00 USD, in whole cents.',
  });
});

test('payments.checkout says that Stripe does not respond, and wallet.testTopUp is refused with Stripe', async () => {
  const { call } = await openDashboard(api, 'waiting@example.com');
  stripe.isDown = true;
  await expect(
    call.payments.checkout({ amountUsd: '5', idempotencyKey: randomUUID() }),
  ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  stripe.isDown = false;
  await expect(call.wallet.testTopUp({ amountUsd: '5', idempotencyKey: randomUUID() })).rejects.toMatchObject(
    { code: 'FORBIDDEN' },
  );
});
