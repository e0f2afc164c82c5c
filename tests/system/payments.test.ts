import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../lab/support/chromium.ts';
import { type Service, startService } from '../../lab/support/service.ts';
import { type StandInStripe, startStandInStripe } from '../support/servers/stripe.ts';

let stripe: StandInStripe;
let service: Service;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  stripe = await startStandInStripe();
  [service, browser] = await Promise.all([startService(stripe.environment), launchChromium()]);
  stripe.deliverTo(`${service.url}/api/stripe/webhook`);
  page = await browser.newPage();
  // Wide, for machines that do other work besides.
  page.setDefaultTimeout(120_000);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await stripe?.close();
});

it('an owner pays on Stripe’s page, comes back, and sees the credit without a reload', async () => {
  await page.goto(`${service.url}/sign-up`);
  for (const [label, value] of [
    ['Name', 'Ada'],
    ['E-mail', 'ada@example.com'],
    ['Password', 'correct horse battery'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole('button', { name: 'Create the owner’s account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
  await page.goto(`${service.url}/dashboard/top-up`);
  await page.getByText('No payments yet.').waitFor();

  await page.getByRole('button', { name: 'Pay $20' }).click();
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByText('Nothing was charged.').waitFor();

  await page.getByRole('radio', { name: 'Other' }).check();
  await page.getByLabel('Other amount').fill('12.50');
  await page.getByText('Top up automatically').click();
  await page.getByRole('button', { name: 'Pay $12.50' }).click();
  // The credit comes after the page has asked for the balance, and before it listens for changes.
  stripe.deliverTo('');
  let listen = () => {};
  const hasCredit = new Promise<void>((resolve) => {
    listen = resolve;
  });
  await page.route(/live\.states/, async (route) => {
    await hasCredit;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Pay', exact: true }).click();
  await page.getByText('Thank you.').waitFor();
  const wallet = page.getByRole('banner');
  await wallet.getByRole('link', { name: 'Wallet $0.00' }).waitFor();
  await deliverEvents();
  listen();
  await wallet.getByRole('link', { name: 'Wallet $12.50' }).waitFor();
  await page.getByRole('link', { name: 'Receipt' }).waitFor();
  await page.getByText('$12.50 whenever less than $5.00 is left').waitFor();
  expect(await page.evaluate('crossOriginIsolated')).toBe(false);

  const [id] = [...stripe.payments.keys()].slice(-1);
  stripe.refund(id ?? '', 250);
  await page.getByText('Paid, $2.50 refunded').waitFor();
  await wallet.getByRole('link', { name: 'Wallet $10.00' }).waitFor();

  const automatic = page.getByRole('region', { name: 'Automatic top-up' });
  const stop = automatic.getByRole('button', { name: 'Stop automatic top-ups' });
  await page.route(/payments\.stopAutomatic/, (route) => route.abort());
  await stop.click();
  await automatic.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
  await page.unroute(/payments\.stopAutomatic/);
  await stop.click();
  await page.getByText('whenever less than').waitFor({ state: 'detached' });
});

/** Sends the events so far, as Stripe does at some time after a payment, and all later ones at once. */
async function deliverEvents(): Promise<void> {
  const url = `${service.url}/api/stripe/webhook`;
  for (const { body, signature } of stripe.events) {
    const headers = { 'stripe-signature': signature };
    expect(await fetch(url, { method: 'POST', body, headers })).toMatchObject({ status: 200 });
  }
  stripe.deliverTo(url);
}
