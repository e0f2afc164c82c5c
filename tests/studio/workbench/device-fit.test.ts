// @module-tag long

import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { REMOVE_BG_WEIGHTS } from '../../../models/matting/weights.ts';
import { serveAlteredPages } from '../support/altered-pages.ts';
import { createBallPicture, createSkyPicture } from '../support/cutouts.ts';
import { servePagesWithDevice } from '../support/fake-device.ts';
import { createTestPicture } from '../support/pictures.ts';
import { refuseSharperModels } from '../support/stored-weights.ts';
import { chooseFiles, connectBrowser, reloadPage } from '../support/visit.ts';

const visit = connectBrowser();
const { u2netp } = REMOVE_BG_WEIGHTS;

let withGpu: string;
let withoutGpu: string;
let small: string;
let full: string;
beforeAll(async () => {
  withGpu = await servePagesWithDevice({ memoryGb: 8, hasGpu: true });
  withoutGpu = await servePagesWithDevice({ memoryGb: 4, hasGpu: false });
  small = await servePagesWithDevice({ memoryGb: 0.5, hasGpu: false });
  full = await servePagesWithDevice({ memoryGb: 4, hasGpu: false, freeBytes: 2_000_000 });
});

const doubt = (page: Page) => page.getByRole('note').filter({ hasText: 'No clear subject' });
const model = (page: Page, name: string) => page.locator('label').filter({ hasText: name });

test.each([
  ['a GPU', () => withGpu, ['Open the brush', 'Try U²-Net small, 4.6 MB to download']],
  ['no GPU', () => withoutGpu, ['Open the brush', 'Try U²-Net small, 4.6 MB to download']],
  ['little memory', () => small, ['Open the brush']],
  ['little storage', () => full, ['Open the brush']],
])('on a device with %s only a model that can run there is offered', async (_what, baseURL, offered) => {
  const { page } = await visit('/remove-bg', { baseURL: baseURL() });
  await refuseSharperModels(page);
  await chooseFiles(page, [await createSkyPicture()]);
  await page.getByText('Free. Nothing leaves this device.').waitFor();
  await expect.poll(() => doubt(page).getByRole('button').allTextContents()).toEqual(offered);
});

test('the list of models names those that cannot run here, with the reason, and takes no click on them', async () => {
  const { page } = await visit('/remove-bg', { baseURL: withoutGpu });
  await page.getByText('Subject and model', { exact: true }).click();
  const large = model(page, 'BiRefNet lite');
  await large.getByText('not on this device').waitFor();
  await large.getByText('Needs a graphics processor with 5.0 GB of memory').waitFor();
  expect(await page.getByRole('radio', { name: /BiRefNet lite/ }).isDisabled()).toBe(true);
  expect(await page.getByRole('radio', { name: /ISNet/ }).isEnabled()).toBe(true);
});

test('the settings name the models that do not fit, with the reason', async () => {
  const { page } = await visit('/settings', { baseURL: full });
  await page.getByText(/^All \d+ models$/).click();
  const row = (id: string) => page.getByRole('listitem').filter({ hasText: id });
  await row('isnet').getByText('Needs 179 MB of storage; this browser has 2.0 MB left').waitFor();
  expect(await row('matte').getByText('Not on this device').count()).toBe(0);
});

test('a model that failed is not offered again for that image, not even after a reload, and the page says why', async () => {
  const { page } = await visit('/remove-bg', { baseURL: withoutGpu });
  await refuseSharperModels(page);
  await page.context().route(`**/api/weights/${u2netp.sha256}`, (route) => route.fulfill({ status: 404 }));
  await chooseFiles(page, [await createSkyPicture()]);
  await page.getByRole('button', { name: /^Try U²-Net small/ }).click();
  const told = page
    .getByRole('alert')
    .getByText('U²-Net small could not be downloaded. Check the connection');
  await told.waitFor();
  expect(await page.getByRole('button', { name: /^Try U²-Net small/ }).count()).toBe(0);
  expect(await page.getByText(u2netp.id).count()).toBe(0);

  await reloadPage(page);
  await page.getByRole('button', { name: 'Open the brush' }).waitFor();
  expect(await page.getByRole('button', { name: /^Try U²-Net small/ }).count()).toBe(0);
  // A visitor who chooses it by name may try once more.
  await page.getByText('Subject and model', { exact: true }).click();
  expect(await page.getByRole('radio', { name: /U²-Net small/ }).isEnabled()).toBe(true);
});

test('what this browser cannot do is offered on the server with the reason, before it is tried here', async () => {
  const notIsolated = await serveAlteredPages(({ headers, body }) => {
    headers.delete('cross-origin-opener-policy');
    headers.delete('cross-origin-embedder-policy');
    return body;
  });
  const { page } = await visit('/convert', { baseURL: notIsolated });
  await chooseFiles(page, [await createTestPicture(), await createBallPicture()]);
  await page.getByText("2 images can't run on this device. Reading images needs threads").waitFor();
  await page.getByRole('link', { name: 'Sign up to run it for $0.004' }).waitFor();
  expect(await page.getByRole('button', { name: /^Convert \d/ }).count()).toBe(0);
  await page.getByRole('listitem').getByText('needs the server').first().waitFor();
});
