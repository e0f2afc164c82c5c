import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../lab/support/chromium.ts';
import { type FileServer, serveFiles } from '../../lab/support/file-server.ts';
import { createApiClient, type Service, startService } from '../../lab/support/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

const OWNER = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };

let service: Service;
let browser: Browser;
let page: Page;
let files: FileServer;
let hooks: WebhookReceiver;
let origin: string;
beforeAll(async () => {
  files = await serveFiles({
    '/photo.png': await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c7321b' } })
      .png()
      .toBuffer(),
  });
  [service, hooks, browser] = await Promise.all([startService(), startWebhookReceiver(), launchChromium()]);
  // Passkeys belong to a name: an IP address has none.
  origin = service.url.replace('127.0.0.1', 'localhost');
  page = await browser.newPage({ acceptDownloads: true });
  // Wide, for machines that do other work besides.
  page.setDefaultTimeout(120_000);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([service?.stop(), files?.close(), hooks?.close()]);
});

const open = (path: string) => page.goto(origin + path);

async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value);
}

it('the owner signs up at once, tops up, makes a key, and sees a job of it live, its webhook and its entry', async () => {
  await open('/dashboard');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
  await page.getByText('becomes the owner’s').waitFor();
  await fill({ Name: OWNER.name, 'E-mail': OWNER.email, Password: OWNER.password });
  await page.getByRole('button', { name: 'Create the owner’s account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
  await page.getByText('Your wallet is empty').waitFor();
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByText('Add money, to do').waitFor();
  await steps.getByText(/image_b64/).waitFor();
  await steps.getByRole('button', { name: 'Create key' }).click();
  const request = steps.getByText(/Bearer mk_/);
  const firstRequest = await request.innerText();

  await page.getByRole('main').getByRole('link', { name: 'Top up' }).click();
  const current = page.getByRole('navigation', { name: 'Dashboard' }).locator('[aria-current]');
  await expect.poll(() => current.innerText()).toBe('Wallet');
  await page.getByRole('button', { name: 'Add $20 of test money' }).click();
  await page.getByText('$20 added.').waitFor();
  await page.getByText('Your wallet is empty').waitFor({ state: 'detached' });
  await page.getByRole('banner').getByRole('link', { name: 'Wallet $20.00' }).waitFor();

  // A user who tops up after making the key comes back to it.
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Wallet' }).click();
  await expect.poll(() => request.innerText()).toBe(firstRequest);

  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Keys' }).click();
  const guide = page.getByRole('main').getByRole('link', { name: 'quickstart' });
  expect(await guide.getAttribute('href')).toBe('/docs/quickstart');
  await fill({ Name: 'curl' });
  await page.getByRole('button', { name: 'Create key' }).click();
  const apiKey = await page.getByRole('region', { name: 'New key' }).locator('code').innerText();
  const firstKey = page.getByRole('listitem').filter({ hasText: 'first key' });
  await firstKey.getByRole('button', { name: 'Revoke key', exact: true }).click();
  await firstKey.getByRole('button', { name: 'Revoke key now: its programs stop' }).click();
  await firstKey.getByText('revoked').waitFor();

  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Jobs' }).click();
  await page.getByText('No jobs yet.').waitFor();
  const { status, body } = await createApiClient(origin, apiKey).convert(
    { image_url: `${files.url}/photo.png`, to_format: 'webp' },
    { 'x-webhook-url': hooks.url },
  );
  expect(status).toBe(202);
  // Without a reload.
  const row = page.getByRole('region', { name: 'Jobs, newest first' }).getByRole('listitem');
  await row.getByText('$0.002', { exact: true }).waitFor();
  await hooks.until(1);
  await row.locator('summary').first().click();
  await row.getByText(body.request_id, { exact: true }).waitFor();
  await row.getByText('delivered').waitFor();
  await row.getByRole('img', { name: /^Result / }).waitFor();

  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Wallet' }).click();
  await page.getByText('−0.002').waitFor();
  // All steps are done, and no member is shown a key that works no more.
  await steps.waitFor({ state: 'detached' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv).toContain(`capture,${body.request_id},media-convert-image,-0.002,19.998`);
  await page.getByLabel('Operation').selectOption({ label: 'Upscale' });
  await page.getByText('No such entries.').waitFor();
});

it('the switch to test data hides what is live, and back', async () => {
  await open('/dashboard/jobs');
  const jobs = page.getByRole('region', { name: 'Jobs, newest first' }).getByRole('listitem');
  await jobs.first().waitFor();
  const choice = page.getByRole('switch', { name: 'Test data' });
  await choice.click();
  await page.getByText('No jobs yet.').waitFor();
  await choice.click();
  await jobs.first().waitFor();
});

it('a job runs again from its details, for the price on the button', async () => {
  await open('/dashboard/jobs');
  await page.getByRole('listitem').locator('summary').first().click();
  await page.getByRole('button', { name: 'Run again · $0.002' }).click();
  await page.getByRole('link', { name: 'open the new job' }).click();
  const completed = page.getByRole('listitem').filter({ has: page.getByText('$0.002', { exact: true }) });
  await expect.poll(() => completed.count()).toBe(2);
  const newest = page.locator('li > details').first();
  await expect.poll(() => newest.getAttribute('open')).not.toBeNull();
});

it('a request stands in the log, is found, and is sent again once the button is pressed', async () => {
  await open('/dashboard/requests?method=POST&search=image-convert');
  const rows = page.getByRole('region', { name: 'Requests, newest first' }).getByRole('listitem');
  // The job that ran again from the dashboard was no request to the API.
  await rows.filter({ hasText: 'curl' }).waitFor();
  await page.getByLabel('Status').selectOption('4xx');
  await page.getByText('No request matches.').waitFor();
  await page.getByLabel('Status').selectOption('2xx');
  const first = rows.filter({ hasText: 'curl' }).getByRole('link');
  await first.click();
  await page.getByRole('heading', { level: 1, name: 'POST /api/media-tools/v1/image-convert' }).waitFor();
  await page.getByText('curl (mk_').waitFor();
  await page.locator('pre').filter({ hasText: '"to_format": "webp"' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Status').inputValue()).toBe('2xx');
  await first.click();
  await page.getByText('Replay', { exact: true }).click();
  await page.getByText('A new job is charged.').waitFor();
  const body = page.getByLabel('Body of the request');
  const logged = await body.inputValue();
  const again = page.getByRole('button', { name: 'Send again' });
  await body.fill(logged.replace('/photo.png', '/photo.png?[redacted]'));
  await page.getByText('Fill in what the log leaves out').waitFor();
  expect(await again.isDisabled()).toBe(true);
  await body.fill('{');
  await page.getByText('This is no JSON.').waitFor();
  expect(await again.isDisabled()).toBe(true);
  await body.fill(logged);
  await again.click();
  await page.getByText('Response 202').waitFor();
  expect(await page.getByRole('link', { name: 'its job' }).getAttribute('href')).toContain('job=');
  await open('/dashboard/requests?method=POST&search=image-convert');
  await rows.filter({ hasText: 'Signed in' }).getByRole('link').first().click();
  await page
    .getByText(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .nth(1)
    .waitFor();
  const sent = page.getByRole('region', { name: 'Request', exact: true }).locator('pre');
  expect(JSON.parse(await sent.innerText())).toEqual({
    image_url: `${files.url}/photo.png`,
    to_format: 'webp',
  });
});

it('a replay of a test request runs as a test', { tags: ['long'] }, async () => {
  await open('/dashboard/keys');
  const choice = page.getByRole('switch', { name: 'Test data' });
  if (!(await choice.isChecked())) {
    // The page is loaded again with the other data.
    const loaded = page.waitForEvent('load');
    await choice.click();
    await loaded;
  }
  await fill({ Name: 'tests' });
  await page.getByRole('button', { name: 'Create key' }).click();
  const apiKey = await page.getByRole('region', { name: 'New key' }).locator('code').innerText();
  const asked = { image_url: `${files.url}/photo.png`, to_format: 'png' };
  expect((await createApiClient(origin, apiKey).convert(asked)).status).toBe(202);
  await open('/dashboard/requests?method=POST');
  const rows = page.getByRole('region', { name: 'Requests, newest first' }).getByRole('listitem');
  await rows.filter({ hasText: 'tests' }).getByRole('link').first().click();
  await page.getByText('Replay', { exact: true }).click();
  await page.getByText('Test data is shown: it costs nothing.').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Response 202').waitFor();
  await open('/dashboard/requests?method=POST');
  await rows.filter({ hasText: 'Signed in' }).first().waitFor();
  await choice.click();
  await rows.filter({ hasText: 'curl' }).first().waitFor();
  expect(await rows.filter({ hasText: 'tests' }).count()).toBe(0);
});

it('an invited person joins by the link, sees what the role may, and is removed', async () => {
  await open('/dashboard/team');
  await fill({ 'E-mail address': 'bob@example.com' });
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('The link is in the log').waitFor();
  const [, query = ''] = /\/invitation(\?token=[\w-]+)/.exec(service.output()) ?? [];
  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(`${origin}/invitation${query}`);
  await guest.getByLabel('Name', { exact: true }).fill('Bob');
  await guest.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await guest.getByRole('button', { name: 'Create account and join' }).click();
  await guest.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
  const choice = guest.getByLabel('Account', { exact: true }).locator('option:checked');
  expect(await choice.innerText()).toBe(`${OWNER.email} · Developer`);
  expect((await guest.goto(`${origin}/dashboard/statements`))?.status()).toBe(403);
  await guest.getByText('Only the roles owner, billing and read only may see payments').waitFor();

  await page.getByRole('button', { name: 'Remove member' }).click();
  await page.getByRole('button', { name: 'Remove Bob now' }).click();
  await page.getByRole('button', { name: 'Remove Bob now' }).waitFor({ state: 'detached' });
  await guest.getByText('an owner has removed you from this account').waitFor();
  expect(service.output()).toContain('You were removed from an account at Darkroom');
  await guest.goto(`${origin}/dashboard/keys`);
  await guest.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await guest.getByText('Your session has ended. If an owner has removed you').waitFor();
  await context.close();
});

it('a passkey is made in the account’s settings and opens the next session', async () => {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await open('/dashboard/account');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByText('Passkey 1').waitFor();
  // The header can offer the sign-in before the next page is loaded.
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await loaded;
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  // A page that was asked for comes after the sign-in.
  await open('/dashboard/keys');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
});

it('a browser that cannot be signed out stays in the list, with the reason', async () => {
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(`${origin}/sign-in`);
  await other.getByLabel('E-mail', { exact: true }).fill(OWNER.email);
  await other.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
  await context.close();

  await open('/dashboard/account');
  const sessions = page.getByRole('region', { name: 'Signed-in browsers' });
  const problem = sessions.getByRole('alert').filter({ hasText: 'The server cannot be reached.' });
  const one = sessions.getByRole('button', { name: 'Sign out browser' });
  const all = sessions.getByRole('button', { name: 'Sign out other browsers' });
  const revoking = '**/api/auth/revoke-*';
  await page.route(revoking, (route) => route.abort());
  await one.first().click();
  await problem.waitFor();
  await page.unroute(revoking);
  await all.click();
  await one.first().waitFor({ state: 'detached' });
  expect(await problem.count()).toBe(0);
});

it('only tools are isolated, also after clicks from one to the other', async () => {
  const isIsolated = () => page.evaluate<boolean>('crossOriginIsolated');
  await open('/convert');
  expect(await isIsolated()).toBe(true);
  await page.getByRole('link', { name: /^Wallet/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
  expect(await isIsolated()).toBe(false);
  await page.getByRole('link', { name: 'Recent' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Recent' }).waitFor();
  expect(await isIsolated()).toBe(true);
});
