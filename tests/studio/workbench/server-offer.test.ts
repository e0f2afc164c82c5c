import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createApiClient, type Service, startService } from '../../../lab/support/service.ts';
import { getVideoContainer } from '../../../models/media/containers/video-header.ts';
import { getImageFormat } from '../../../models/media/image/find-format.ts';
import { createSubjectVideo } from '../../support/media/subject-video.ts';
import { createBrokenPicture, createTestPicture } from '../support/pictures.ts';
import { interceptSignIn, PASSWORD, signIn } from '../support/sign-in.ts';
import { chooseFiles, connectBrowser, downloadOnClick, openPage, type Visit } from '../support/visit.ts';

const visit = connectBrowser();
const OWNER = 'studio@example.com';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.account(OWNER, '1', PASSWORD);
}, 300_000);
afterAll(() => service?.stop());

const balanceUsd = async (): Promise<string> =>
  (await createApiClient(service.url, account.api_key).get('/api/v2/wallet')).body.balance_usd;

/**
 * Visits with a browser that does not isolate the page: then images, which need threads, can't be read on the device.
 */
async function visitWithoutThreads(path: string, email?: string): Promise<Visit> {
  const visited = await visit('/settings', { baseURL: service.url });
  if (email) await signIn(visited.page, service, email);
  await visited.page.context().route(/\/convert$/, async (route) => {
    const response = await route.fetch();
    const { 'cross-origin-opener-policy': _opener, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await openPage(visited.page, path);
  return visited;
}

async function chooseUnfit(page: Page, names: readonly string[]): Promise<void> {
  await page.getByRole('radio', { name: 'HEIC', exact: true }).check();
  await chooseFiles(page, await Promise.all(names.map((name, index) => createTestPicture(name, index))));
  await page.getByText("can't run on this device. Reading images needs threads").waitFor();
}

/** Counts request bodies: only methods other than GET carry one. */
const bodiesSent = ({ requests }: Visit) => requests.filter(({ method }) => method !== 'GET');

test('a file that this device cannot run is offered on the server with its price, and is sent only on a click', async () => {
  const visited = await visitWithoutThreads('/convert', OWNER);
  const { page } = visited;
  await chooseUnfit(page, ['one.jpg', 'two.jpg']);
  const run = page.getByRole('button', { name: 'Run 2 on the server for $0.004' });
  await run.waitFor();
  expect(bodiesSent(visited)).toEqual([]);

  const before = await balanceUsd();
  await run.click();
  const [name, bytes] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download the result of one.jpg' }).click(),
  );
  expect(name).toBe('one.heic');
  expect(getImageFormat(bytes)).toBe('heic');
  await page.getByRole('button', { name: 'Download all 2 as zip' }).waitFor();
  const price = page.getByText('our server · $0.002', { exact: true });
  for (const width of [820, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const { right = 0 } = await price.evaluate((chip) => chip.getBoundingClientRect().toJSON());
    const row = await price.locator('..').evaluate((list) => list.getBoundingClientRect().right);
    expect(right, `at ${width} pixels`).toBeLessThanOrEqual(row);
  }
  expect([before, await balanceUsd()]).toEqual(['1.00', '0.996']);
  await page.getByRole('link', { name: 'Wallet $0.99' }).waitFor();
  const uploads = bodiesSent(visited).filter(({ url }) => url.endsWith('/api/uploads'));
  expect(uploads).toHaveLength(2);
});

test('the server runs only what it is chosen for, after showing the price', { tags: ['long'] }, async () => {
  const visited = await visit('/settings', { baseURL: service.url });
  const { page } = visited;
  await signIn(page, service, OWNER);
  await openPage(page, '/convert');
  await chooseFiles(page, [await createTestPicture('asked.jpg'), createBrokenPicture('broken.jpg')]);
  await page.getByRole('radio', { name: 'Our server' }).check();
  const before = Number(await balanceUsd());
  const go = page.getByRole('button', { name: 'Convert 1 image for $0.002' });
  await go.waitFor();
  expect(bodiesSent(visited)).toEqual([]);

  await go.click();
  await page.getByRole('button', { name: 'Download the result of asked.jpg' }).waitFor();
  expect(before - Number(await balanceUsd())).toBeCloseTo(0.002, 6);
  const uploads = bodiesSent(visited).filter(({ url }) => url.endsWith('/api/uploads'));
  expect(uploads).toHaveLength(1);
  await page.getByRole('button', { name: 'Show broken.jpg' }).click();
  await page.getByText('This .jpg is no image that Darkroom knows.').first().waitFor();
});

test('nothing can be sent without a price, and the page says what to do', { tags: ['long'] }, async () => {
  const visited = await visit('/settings', { baseURL: service.url });
  const { page } = visited;
  await signIn(page, service, OWNER);
  await openPage(page, '/convert');
  // The definitions of the operations, which compute the price, are loaded with the first file.
  await page.route('**/_next/static/**', async (route) => {
    const response = await route.fetch();
    const isDefinitions = (await response.text()).includes('started second of audio');
    await (isDefinitions ? route.abort() : route.fulfill({ response }));
  });
  await chooseFiles(page, [await createTestPicture('asked.jpg')]);
  const server = page.getByRole('radio', { name: 'Our server' });
  await server.waitFor();
  await server.check();
  const go = page.getByRole('button', { name: 'No price: reload the page, or use the API' });
  await go.waitFor();
  expect(await go.isDisabled()).toBe(true);
  expect(bodiesSent(visited)).toEqual([]);
});

test('a file that only FFmpeg measures gets its price from the server where the page has no FFmpeg', {
  tags: ['long'],
}, async () => {
  const visited = await visit('/settings', { baseURL: service.url });
  const { page } = visited;
  await signIn(page, service, OWNER);
  await page.route('**/vendor/ffmpeg/**', (route) => route.abort());
  await openPage(page, '/stems');
  const files = ['tone.wma', 'tone.wav'].map(async (name) => {
    return { name, mimeType: '', buffer: await readFile(`tests/fixtures/audio/${name}`) };
  });
  await chooseFiles(page, await Promise.all(files));
  await page.getByRole('radio', { name: 'Our server' }).check();
  await page.getByRole('button', { name: 'Split 1 audio file for $0.005' }).waitFor();
  expect(bodiesSent(visited)).toEqual([]);

  const before = Number(await balanceUsd());
  await page.getByRole('button', { name: 'Send 1 audio file for a price' }).click();
  const go = page.getByRole('button', { name: 'Split 2 audio files for $0.01' });
  await go.waitFor();
  expect(Number(await balanceUsd())).toBe(before);
  await go.click();
  await page.getByRole('button', { name: 'Download all 8 as zip' }).waitFor();
  expect(before - Number(await balanceUsd())).toBeCloseTo(0.01, 6);
  const uploads = bodiesSent(visited).filter(({ url }) => url.includes('/api/uploads'));
  expect(uploads).toHaveLength(2);
});

test('a file whose decoding failed on this device is offered on the server with its price', {
  tags: ['long'],
}, async () => {
  const visited = await visit('/settings', { baseURL: service.url });
  const { page } = visited;
  await signIn(page, service, OWNER);
  await page.route('**/vendor/ffmpeg/**', (route) => route.abort());
  await openPage(page, '/stems');
  // Its frames tell its length without FFmpeg; its samples do not come without.
  const buffer = await readFile('tests/fixtures/audio/tone.ac3');
  await chooseFiles(page, [{ name: 'tone.ac3', mimeType: '', buffer }]);
  await page.getByRole('button', { name: 'Split 1 audio file', exact: true }).click();
  const run = page.getByRole('button', { name: 'Run on the server for $0.005' });
  await run.waitFor();
  expect(bodiesSent(visited)).toEqual([]);

  const before = Number(await balanceUsd());
  await run.click();
  await page.getByRole('button', { name: 'Download all 4 as zip' }).waitFor();
  expect(before - Number(await balanceUsd())).toBeCloseTo(0.005, 6);
});

test('a video without a media type is sent for the price of its duration', { tags: ['long'] }, async () => {
  const { page } = await visit('/settings', { baseURL: service.url });
  await signIn(page, service, OWNER);
  await openPage(page, '/remove-bg');
  const video = await createSubjectVideo();
  await chooseFiles(page, [
    { name: 'ball.mov', mimeType: '', buffer: Buffer.from(await video.arrayBuffer()) },
  ]);
  await page.getByRole('radio', { name: 'Our server' }).check();
  await page.getByRole('radio', { name: 'Sage' }).check();
  await page.getByRole('radio', { name: 'MP4' }).check();
  await page.getByRole('button', { name: 'Remove background from 1 video for $0.05' }).click();
  await page.getByText('our server · $0.05', { exact: true }).waitFor();
  const [name, bytes] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  );
  expect(name).toBe('ball-cutout.mp4');
  expect(getVideoContainer(bytes)).toBe('mp4');
});

test('who is not signed in learns what an account brings, and goes on in the same tab after the sign-up', {
  tags: ['long'],
}, async () => {
  const { page } = await visitWithoutThreads('/convert');
  await chooseUnfit(page, ['one.jpg']);
  await page.getByText('It needs an account.').waitFor();
  const signUp = page.getByRole('link', { name: 'Sign up to run it for $0.002' });
  await signUp.waitFor();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), signUp.click()]);
  await tab.getByRole('heading', { level: 1, name: 'Sign up' }).waitFor();
  expect(new URL(tab.url()).search).toBe('?next=/dashboard/top-up');
  await signIn(page, service, OWNER);
  await tab.close();
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page.getByRole('button', { name: 'Run on the server for $0.002' }).waitFor();
});

test('with less in the wallet than the price the page leads to the top-up, and the run starts after it', {
  tags: ['long'],
}, async () => {
  const poor = await service.account('poor@example.com', '0.001', PASSWORD);
  const { page } = await visitWithoutThreads('/convert', 'poor@example.com');
  await chooseUnfit(page, ['one.jpg']);
  const topUp = page.getByRole('link', { name: 'Top up your wallet: this costs $0.002' });
  await topUp.waitFor();
  expect(await topUp.getAttribute('href')).toBe('/dashboard/top-up');
  expect(poor.balance_usd).toBe('0.001');
  await service.account('poor@example.com', '1', PASSWORD);
  await signIn(page, service, 'poor@example.com');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page.getByRole('button', { name: 'Run on the server for $0.002' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
});

test('a run that finds the session ended says so, and leads to the sign-in', { tags: ['long'] }, async () => {
  const { page } = await visitWithoutThreads('/convert', OWNER);
  await chooseUnfit(page, ['one.jpg']);
  const run = page.getByRole('button', { name: 'Run on the server for $0.002' });
  await run.waitFor();
  const cookies = await page.context().cookies();
  await page.context().clearCookies({ name: /session_token/ });
  expect(cookies.map(({ name }) => name)).toContain('darkroom-signed-in');
  await run.click();
  await page.getByText('You are not signed in any more.').first().waitFor();
  await page.getByRole('link', { name: 'Sign in', exact: false }).first().waitFor();
});

test('a check that our server refuses says why and keeps the verdict, and what it would reject is not offered', {
  tags: ['long'],
}, async () => {
  await service.account('penniless-checks@example.com', '0', PASSWORD);
  const { page } = await visit('/settings', { baseURL: service.url });
  await signIn(page, service, 'penniless-checks@example.com');
  // The wallet was emptied since the page asked.
  await interceptSignIn(page, '1.00');
  await openPage(page, '/moderate');
  const create = { width: 2100, height: 300, channels: 3, background: '#807060' } as const;
  await chooseFiles(page, [
    await createTestPicture('small.jpg', 0),
    { name: 'wide.jpg', mimeType: 'image/jpeg', buffer: await sharp({ create }).jpeg().toBuffer() },
  ]);
  const judged = page.getByRole('row').filter({ hasText: 'small.jpg' }).getByText('Not flagged');
  await judged.waitFor();
  await page.getByRole('radio', { name: 'Our server' }).check();
  // The wide one has more pixels per side than the server takes.
  await page.getByRole('button', { name: /^Check 1 image .*\$0\.00\d/ }).click();
  await page.getByRole('alert').getByText('Your wallet holds too little for this').waitFor();
  await judged.waitFor();
});
