// @module-tag long
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { REMOVE_BG_WEIGHTS } from '../../../models/matting/weights.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { createBallPicture } from '../support/cutouts.ts';
import { delayCodecs } from '../support/delay-codecs.ts';
import { servePagesWithDevice } from '../support/fake-device.ts';
import { openNotes } from '../support/stage.ts';
import { createStandInWeights } from '../support/stand-in-weights.ts';
import { storeWeights } from '../support/stored-weights.ts';
import { chooseFiles, connectBrowser, reloadPage } from '../support/visit.ts';

const visit = connectBrowser();
const PUBLISHED = sharedData('models/files/selfie_segmentation.onnx');
const { u2netp, 'modnet-fp16': modnet, 'selfie-segmentation': selfie } = REMOVE_BG_WEIGHTS;

const standIn = createStandInWeights(u2netp);
/** URL of pages that know a small model under the name of U²-Net. */
let served: string;
beforeAll(async () => {
  served = await servePagesWithDevice({ memoryGb: 8, hasGpu: false }, standIn.alter);
});

/** Removes a background with the bundled model, and opens the list of models. */
async function showEngines(page: Page): Promise<void> {
  await chooseFiles(page, [await createBallPicture()]);
  await page.getByRole('radio', { name: 'Compare' }).waitFor();
  await page.getByText('Subject and model', { exact: true }).click();
}

const engine = (page: Page, name: string) => page.locator('label').filter({ hasText: name });

test('the list of models shows the download size of each, and updates as models are stored and deleted', async () => {
  const { page } = await visit('/remove-bg');
  await showEngines(page);
  const small = engine(page, 'U²-Net small');
  await small.getByText('4.6 MB to download').waitFor();
  await engine(page, 'Darkroom').getByText('5.3 MB, included').waitFor();

  // The server sends part of the file and disconnects.
  const asked: (string | undefined)[] = [];
  await page.context().route(`**/api/weights/${u2netp.sha256}`, (route) => {
    const { range } = route.request().headers();
    asked.push(range);
    const headers = { 'content-range': `bytes 0-999999/${u2netp.bytes}` };
    return route.fulfill(
      range === undefined
        ? { status: 206, headers, body: Buffer.alloc(1_000_000) }
        : { status: 404, body: '' },
    );
  });
  await page.getByRole('radio', { name: /U²-Net small/ }).check();
  await page.getByRole('button', { name: 'Apply and run again' }).click();
  await page.getByRole('alert').getByText('U²-Net small could not be downloaded').waitFor();
  // The earlier result stays.
  await page.getByRole('img', { name: 'ball.jpg, result' }).waitFor();
  await small.getByText('3.6 MB of 4.6 MB left to download').waitFor();
  expect(asked).toEqual([undefined, 'bytes=1000000-']);

  const other = await page.context().newPage();
  await other.goto('/settings');
  await other.getByText(/^All \d+ models$/).click();
  await other.getByRole('button', { name: 'Delete u2netp' }).click();
  await small.getByText('4.6 MB to download', { exact: true }).waitFor();
});

test('arrow keys move through the list of models without a run', async () => {
  // Where every model fits: the arrow keys skip those that do not.
  const { page } = await visit('/remove-bg', {
    baseURL: await servePagesWithDevice({ memoryGb: 8, hasGpu: true }),
  });
  await showEngines(page);
  const best = page.getByRole('radio', { name: /^Best available/ });
  await best.focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
  const chosen = page.getByRole('radio', { name: /^ISNet/ });
  expect([
    await chosen.isChecked(),
    await chosen.evaluate((radio) => radio === document.activeElement),
  ]).toEqual([true, true]);
  await page.getByRole('status').getByText('1 done').waitFor();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: 'Apply and run again' }).waitFor({ state: 'detached' });
  await page.getByRole('status').getByText('1 done').waitFor();
});

test('the list of models shows which are stored on the device', async () => {
  const { page } = await visit('/remove-bg');
  // This test never reads the file: a read would find that the bytes are wrong.
  await storeWeights(page, 'modnet-fp16.onnx', modnet.bytes);
  await reloadPage(page);
  await showEngines(page);
  await engine(page, 'MODNet').getByText('13.0 MB, stored on this device').waitFor();
});

test('a model is stored after its first run', async () => {
  const { page } = await visit('/remove-bg', { baseURL: served });
  const downloads = await standIn.serve(page);
  await showEngines(page);
  await engine(page, 'U²-Net small').getByText('to download').waitFor();
  await page.getByRole('radio', { name: /U²-Net small/ }).check();
  await page.getByRole('button', { name: 'Apply and run again' }).click();
  await engine(page, 'U²-Net small').getByText('stored on this device').waitFor();
  await openNotes(page);
  await page.getByText(/· U²-Net small \d/).waitFor();
  expect(downloads()).toBe(1);
});

test.skipIf(PUBLISHED.isMissing)(
  PUBLISHED.titled('published weights are stored after their first run'),

  async () => {
    const { page } = await visit('/remove-bg');
    await showEngines(page);
    await engine(page, 'MediaPipe selfie').getByText('448 kB to download').waitFor();
    const body = await readFile(PUBLISHED.path);
    await page
      .context()
      .route(`**/api/weights/${selfie.sha256}`, (route) =>
        route.fulfill({ contentType: 'application/octet-stream', body }),
      );
    await page.getByRole('radio', { name: /MediaPipe selfie/ }).check();
    await page.getByRole('button', { name: 'Apply and run again' }).click();
    await engine(page, 'MediaPipe selfie').getByText('448 kB, stored on this device').waitFor();
    await openNotes(page);
    await page.getByText('MediaPipe selfie 448 kB').waitFor();
  },
);

test('a first run shows downloads in its only progress bar', async () => {
  const { page } = await visit('/remove-bg');
  const release = await delayCodecs(page);
  await chooseFiles(page, [await createBallPicture()]);
  await page.getByRole('status').getByText('0 of 1, loading…').waitFor();
  await page
    .getByRole('listitem')
    .getByText(/% · loading$/)
    .waitFor();
  release();
  await page.getByRole('status').getByText('1 done').waitFor();
});
