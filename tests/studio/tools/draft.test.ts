// @module-tag long

import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { REMOVE_BG_WEIGHTS } from '../../../models/matting/weights.ts';
import type { ServedFile } from '../support/altered-pages.ts';
import { createSkyPicture, decodePixels, paintStroke } from '../support/cutouts.ts';
import { servePagesWithDevice } from '../support/fake-device.ts';
import { openNotes } from '../support/stage.ts';
import { createStandInWeights } from '../support/stand-in-weights.ts';
import { chooseFiles, connectBrowser, downloadOnClick, openPage } from '../support/visit.ts';

const visit = connectBrowser();
const { u2netp } = REMOVE_BG_WEIGHTS;

/** Pages of a device that only the smallest better model fits. */
let small: string;
/** As `small`, with a model of ten times its size. */
let large: string;
let metered: string;
/** As `small`, with a model that can be downloaded. */
let served: string;
const standIn = createStandInWeights(u2netp);
const LARGE_BYTES = 10 * u2netp.bytes;
beforeAll(async () => {
  served = await servePagesWithDevice({ memoryGb: 1, hasGpu: false }, standIn.alter);
  small = await servePagesWithDevice({ memoryGb: 1, hasGpu: false });
  large = await servePagesWithDevice({ memoryGb: 1, hasGpu: false }, enlargeModel);
  metered = await servePagesWithDevice({ memoryGb: 1, hasGpu: false, connection: { saveData: true } });
});

/** Puts another size in the place of the model's own, in every script. */
function enlargeModel({ headers, body }: ServedFile): Buffer {
  if (!headers.get('content-type')?.includes('javascript')) return body;
  return Buffer.from(body.toString('latin1').replaceAll(`${u2netp.bytes}`, `${LARGE_BYTES}`), 'latin1');
}

const QUESTION = 'Download a sharper model (U²-Net small, 45.7 MB)?';
const keep = (page: Page) => page.getByRole('button', { name: 'Keep U²-Net small, 45.7 MB' });

/** Lets the server send the first part of the model, and then nothing, until released. */
async function holdModel(page: Page, bytes: number): Promise<{ asked: () => number; release: () => void }> {
  let count = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.context().route(`**/api/weights/${u2netp.sha256}`, async (route) => {
    count += 1;
    if (count > 1) {
      await released;
      return route.fulfill({ status: 404 });
    }
    const headers = { 'content-range': `bytes 0-${bytes - 1}/${bytes}` };
    return route.fulfill({ status: 206, headers, body: Buffer.alloc(2_000_000) });
  });
  return { asked: () => count, release };
}

test('a hard image fetches a small sharper model from our server without a question', async () => {
  const { page } = await visit('/remove-bg', { baseURL: small });
  const { asked, release } = await holdModel(page, u2netp.bytes);
  await chooseFiles(page, [await createSkyPicture()]);
  await page.getByText('Draft. A better result is on its way.').waitFor();
  await expect.poll(asked).toBeGreaterThan(0);
  expect(await page.getByText(/Download a sharper model/).count()).toBe(0);
  await page.getByRole('button', { name: 'Stop' }).click();
  release();
  // It is tried once.
  await page
    .getByRole('button', { name: /^Try U²-Net small, 2\.6 MB of 4\.6 MB left to download$/ })
    .waitFor();
});

test('a hard image asks once for a large sharper model, and shows the draft while it comes, until it is stopped', async () => {
  const { page } = await visit('/remove-bg', { baseURL: large });
  const { asked, release } = await holdModel(page, LARGE_BYTES);
  await chooseFiles(page, [await createSkyPicture()]);
  await page.getByText(QUESTION).waitFor();
  expect(asked()).toBe(0);
  await keep(page).click();
  await page.getByText('Draft. A better result is on its way.').waitFor();
  const bar = page.getByRole('progressbar', { name: 'Progress of the new result' });
  await expect.poll(() => bar.getAttribute('aria-valuetext')).toMatch(/^loading · [1-9]\d? %$/);
  // The draft can be seen, compared and painted.
  await page.getByRole('radio', { name: 'Brush' }).check();
  await paintStroke(page, [0.4, 0.4], [0.6, 0.6]);
  await page.getByRole('button', { name: 'Undo' }).and(page.locator(':not([aria-disabled=true])')).waitFor();
  await page.getByRole('radio', { name: 'Result' }).check();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('status').getByText('1 done').waitFor();
  release();
  // The strokes are there, and nothing begins again by itself.
  await page.getByRole('radio', { name: 'Brush' }).check();
  expect(await page.getByRole('button', { name: 'Undo' }).isEnabled()).toBe(true);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('radio', { name: 'Result' }).check();
  await page
    .getByRole('button', { name: /^Try U²-Net small, 43\.7 MB of 45\.7 MB left to download$/ })
    .waitFor();
});

/** Returns what names the focused element: `body` when the focus is lost. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? element?.tagName;
  });

test('a finished sharper result replaces the draft, and the strokes stay', async () => {
  const { page } = await visit('/remove-bg', { baseURL: served });
  const downloads = await standIn.serve(page);
  const release = await standIn.hold(page);
  await chooseFiles(page, [await createSkyPicture()]);
  await page.getByText('Draft. A better result is on its way.').waitFor();
  await openNotes(page);
  expect(await page.getByText(/U²-Net small \d/).count()).toBe(0);
  await page.getByRole('radio', { name: 'Brush' }).check();
  await paintStroke(page, [0.4, 0.4], [0.6, 0.6]);
  const undo = page.getByRole('button', { name: 'Undo' }).and(page.locator(':not([aria-disabled=true])'));
  await undo.waitFor();
  release();
  await page.getByRole('radio', { name: 'Result' }).check();
  await openNotes(page);
  await page.getByText(/U²-Net small \d/).waitFor();
  await page.getByText('Draft. A better result is on its way.').waitFor({ state: 'detached' });
  await page.getByRole('status').getByText('1 done').waitFor();
  expect(downloads()).toBe(1);
  // The stroke is in the file, and can be undone.
  const [, saved] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  );
  const { at, size } = await decodePixels(saved);
  expect(at(size[0] / 2, size[1] / 2)[3]).toBeGreaterThan(200);
  await page.getByRole('radio', { name: 'Brush' }).check();
  await undo.click();
  await page.getByRole('button', { name: 'Redo' }).and(page.locator(':not([aria-disabled=true])')).waitFor();
});

test('keeping a sharper model runs it, though another one was chosen by name; no press loses the focus', async () => {
  const { page } = await visit('/remove-bg', { baseURL: large });
  const { release } = await holdModel(page, LARGE_BYTES);
  await page.getByText('Subject and model', { exact: true }).click();
  await page.getByRole('radio', { name: /^Darkroom/ }).check();
  await chooseFiles(page, [await createSkyPicture()]);
  await keep(page).press('Enter');
  await page.getByText('Draft. A better result is on its way.').waitFor();
  expect(await focused(page)).toBe('sky.jpg, result');
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  // The response of the server must not come before the end of the run: that would be a failure of the model.
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  release();
  await page.getByRole('button', { name: /^Try U²-Net small/ }).waitFor();
  expect(await focused(page)).toBe('sky.jpg, result');
});

test('a sharper model that the visitor did not choose and that cannot be downloaded leaves the draft and the offer, without an alert', async () => {
  const { page } = await visit('/remove-bg', { baseURL: small });
  const refused = page.waitForResponse(`**/api/weights/${u2netp.sha256}`);
  await page.context().route(`**/api/weights/${u2netp.sha256}`, (route) => route.fulfill({ status: 404 }));
  await chooseFiles(page, [await createSkyPicture()]);
  await refused;
  const offer = page.getByRole('button', { name: 'Try U²-Net small, 4.6 MB to download' });
  await offer.waitFor();
  const told = page
    .getByRole('alert')
    .getByText('U²-Net small could not be downloaded. Check the connection');
  expect(await told.count()).toBe(0);
  // A visitor who asks for it is told.
  await offer.click();
  await told.waitFor();
  await page.getByRole('status').getByText('1 done').waitFor();
  await page.getByRole('img', { name: 'sky.jpg, result' }).waitFor();
});

test('a visitor who says no is not asked again, and can change that in the settings', async () => {
  const { page } = await visit('/remove-bg', { baseURL: large });
  await chooseFiles(page, [await createSkyPicture()]);
  await page.getByText(QUESTION).waitFor();
  await page.getByRole('button', { name: 'No, thanks' }).click();
  await page.getByRole('button', { name: /^Try U²-Net small, 45\.7 MB to download$/ }).waitFor();
  expect(await page.getByText(QUESTION).count()).toBe(0);
  await openPage(page, '/settings');
  expect(await page.getByRole('radio', { name: 'No', exact: true }).isChecked()).toBe(true);
  await page.getByRole('radio', { name: 'Ask me' }).check();
  await openPage(page, '/remove-bg');
  await page.getByText(QUESTION).waitFor();
});

test('on a metered connection nothing is asked, and the page says why', async () => {
  const { page } = await visit('/remove-bg', { baseURL: metered });
  await chooseFiles(page, [await createSkyPicture()]);
  await page.getByText('is not downloaded on a metered connection').waitFor();
  expect(await page.getByRole('button', { name: /U²-Net/ }).count()).toBe(0);
});
