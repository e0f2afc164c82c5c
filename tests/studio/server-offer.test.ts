import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { videoContainerOf } from '../../models/files/containers/video-header.ts';
import { imageFormatOf } from '../../models/files/headers/image-header.ts';
import { type Account, apiClient, type Service, startService } from '../../scripts/support/service.ts';
import { videoFixture } from '../support/videos.ts';
import { brokenPicture, testPicture } from './support/pictures.ts';
import { chooseFiles, downloadBy, inBrowser, openPage, type Visit } from './support/visit.ts';

const visit = inBrowser();

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.account('studio@example.com', '1');
}, 300_000);
afterAll(() => service?.stop());

const balanceUsd = async (): Promise<string> =>
  (await apiClient(service.url, account.api_key).get('/api/v2/wallet')).body.balance_usd;

/**
 * Visits with a browser that does not isolate the page: then HEIC, whose encoder needs threads, can't be written on
 * the device.
 */
async function visitWithoutThreads(path: string): Promise<Visit> {
  const visited = await visit('/settings', { baseURL: service.url });
  await visited.page.context().route(/\/convert$/, async (route) => {
    const response = await route.fetch();
    const { 'cross-origin-opener-policy': _opener, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await openPage(visited.page, path);
  return visited;
}

async function keepKey(page: Page, apiKey: string): Promise<void> {
  await page.getByLabel('Your key').fill(apiKey);
  await page.getByRole('button', { name: 'Verify and save' }).click();
  await page.getByText(/^Balance: \$/).waitFor();
}

async function chooseUnfit(page: Page, names: readonly string[]): Promise<void> {
  await page.getByRole('radio', { name: 'HEIC', exact: true }).check();
  await chooseFiles(page, await Promise.all(names.map((name, index) => testPicture(name, index))));
  await page.getByText("can't run on this device. Writing HEIC needs threads").waitFor();
}

/** Counts request bodies: only methods other than GET carry one. */
const bodiesSent = ({ requests }: Visit) => requests.filter(({ method }) => method !== 'GET');

test('a file that this device cannot run is offered on the server with its price, and is sent only on a click', async () => {
  const visited = await visitWithoutThreads('/settings');
  const { page } = visited;
  await keepKey(page, account.api_key);
  await openPage(page, '/convert');
  await chooseUnfit(page, ['one.jpg', 'two.jpg']);
  const run = page.getByRole('button', { name: 'Run 2 on the server for $0.004' });
  await run.waitFor();
  expect(bodiesSent(visited)).toEqual([]);

  const before = await balanceUsd();
  await run.click();
  const [name, bytes] = await downloadBy(page, () =>
    page.getByRole('button', { name: 'Download the result of one.jpg' }).click(),
  );
  expect(name).toBe('one.heic');
  expect(imageFormatOf(bytes)).toBe('heic');
  await page.getByRole('button', { name: 'Download all 2 as zip' }).waitFor();
  await page.getByText(/^on the server · .+ sent · \$0\.002$/).waitFor();
  expect([before, await balanceUsd()]).toEqual(['1.00', '0.996']);
  await page.getByRole('link', { name: 'Wallet $0.996' }).waitFor();
  const uploads = bodiesSent(visited).filter(({ url }) => url.endsWith('/api/uploads'));
  expect(uploads).toHaveLength(2);
});

test('the server runs only what it is chosen for, after showing the price', async () => {
  const visited = await visit('/settings', { baseURL: service.url });
  const { page } = visited;
  await keepKey(page, account.api_key);
  await openPage(page, '/convert');
  await chooseFiles(page, [await testPicture('asked.jpg'), brokenPicture('broken.jpg')]);
  await page.getByRole('radio', { name: 'Our server' }).check();
  const before = Number(await balanceUsd());
  const go = page.getByRole('button', { name: 'Convert 2 images for $0.002' });
  await go.waitFor();
  expect(bodiesSent(visited)).toEqual([]);

  await go.click();
  await page.getByRole('button', { name: 'Download the result of asked.jpg' }).waitFor();
  expect(before - Number(await balanceUsd())).toBeCloseTo(0.002, 6);
  const uploads = bodiesSent(visited).filter(({ url }) => url.endsWith('/api/uploads'));
  expect(uploads).toHaveLength(1);
  await page.getByRole('button', { name: 'Show broken.jpg' }).click();
  await page.getByText('This is named .jpg but is no image that Darkroom knows.').first().waitFor();
});

test('nothing can be sent without a price, and the page says what to do', async () => {
  const visited = await visit('/settings', { baseURL: service.url });
  const { page } = visited;
  await keepKey(page, account.api_key);
  await openPage(page, '/convert');
  // The code that computes the price is loaded with the first file.
  await page.route('**/_next/static/**', (route) => route.abort());
  await chooseFiles(page, [await testPicture('asked.jpg')]);
  const server = page.getByRole('radio', { name: 'Our server' });
  await server.waitFor();
  await server.check();
  const go = page.getByRole('button', { name: 'Price unavailable: reload the page' });
  await go.waitFor();
  expect(await go.isDisabled()).toBe(true);
  expect(bodiesSent(visited)).toEqual([]);
});

test('a video without a media type is sent for the price of its duration', async () => {
  const { page } = await visit('/settings', { baseURL: service.url });
  await keepKey(page, account.api_key);
  await openPage(page, '/remove-bg');
  const video = await videoFixture('spoken.webm');
  await chooseFiles(page, [
    { name: 'spoken.mkv', mimeType: '', buffer: Buffer.from(await video.arrayBuffer()) },
  ]);
  await page.getByRole('radio', { name: 'Our server' }).check();
  await page.getByRole('radio', { name: 'Sage' }).check();
  await page.getByRole('radio', { name: 'MP4' }).check();
  await page.getByRole('button', { name: 'Remove background from 1 video for $0.05' }).click();
  await page.getByText(/^on the server · .+ sent · \$0\.05$/).waitFor();
  const [name, bytes] = await downloadBy(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  );
  expect(name).toBe('spoken-cutout.mp4');
  expect(videoContainerOf(bytes)).toBe('mp4');
});

test('without a key the offer links to the settings, and uses the key saved there', async () => {
  const { page } = await visitWithoutThreads('/convert');
  await chooseUnfit(page, ['one.jpg']);
  await page.getByText('for $0.002').waitFor();
  const [settings] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Add a key for the server' }).click(),
  ]);
  await settings.waitForLoadState('networkidle');
  expect(new URL(settings.url()).pathname).toBe('/settings');
  await keepKey(settings, account.api_key);
  await page.getByRole('button', { name: 'Run on the server for $0.002' }).waitFor();
});

test('with an empty wallet the price cannot be paid, and the page says what to do', async () => {
  const poor = await service.account('poor@example.com', '0');
  const visited = await visitWithoutThreads('/settings');
  const { page } = visited;
  await keepKey(page, poor.api_key);
  await openPage(page, '/convert');
  await chooseUnfit(page, ['one.jpg']);
  await page.getByRole('button', { name: 'Run on the server for $0.002' }).click();
  await page.getByText('Your wallet holds too little for this.').first().waitFor();
  await page.getByRole('link', { name: 'Check your API key' }).waitFor();
  // The same file can be retried with one click.
  await page.getByRole('button', { name: 'Run on the server for $0.002' }).waitFor();
});

test('a key is verified before it is saved, stays in this browser, and can be removed', async () => {
  const { page, requests } = await visit('/settings', { baseURL: service.url });
  const field = page.getByLabel('Your key');
  const check = page.getByRole('button', { name: 'Verify and save' });
  await field.fill('not a key');
  await check.click();
  await page.getByText('An API key starts with mk_').waitFor();
  await field.fill('mk_00000000wrong');
  await check.click();
  await page.getByText('Our server does not know this API key.').waitFor();
  await keepKey(page, account.api_key);
  await page.reload();
  await page.getByText(/^Balance: \$/).waitFor();
  expect(await page.locator('body').innerText()).not.toContain(account.api_key);
  expect(requests.filter(({ url }) => url.includes('mk_'))).toEqual([]);
  expect(service.output()).not.toContain(account.api_key);

  await page.getByRole('button', { name: 'Remove key' }).click();
  await field.waitFor();
  await page.reload();
  await field.waitFor();
});

test('a check that our server refuses says why and keeps the verdict, and what it would reject is not offered', async () => {
  const penniless = await service.account('penniless-checks@example.com', '0');
  const { page } = await visit('/settings', { baseURL: service.url });
  await keepKey(page, penniless.api_key);
  await openPage(page, '/safety');
  const create = { width: 2100, height: 300, channels: 3, background: '#807060' } as const;
  await chooseFiles(page, [
    await testPicture('small.jpg', 0),
    { name: 'wide.jpg', mimeType: 'image/jpeg', buffer: await sharp({ create }).jpeg().toBuffer() },
  ]);
  const judged = page.getByRole('region', { name: 'Verdict on small.jpg' }).getByText('Partly checked');
  await judged.waitFor();
  await page.getByRole('radio', { name: 'Our server' }).check();
  // The wide one has more pixels per side than the server takes.
  await page.getByRole('button', { name: /^Check 1 image .*\$0\.00\d/ }).click();
  await page.getByRole('alert').getByText('Your wallet holds too little for this').waitFor();
  await judged.waitFor();
});
