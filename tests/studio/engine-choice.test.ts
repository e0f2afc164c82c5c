import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { REMOVE_BG_WEIGHTS } from '../../models/weights/remove-bg.ts';
import { ballPicture } from './support/cutouts.ts';
import { storeWeights } from './support/stored-weights.ts';
import { chooseFiles, inBrowser } from './support/visit.ts';

const visit = inBrowser();
const SELFIE = resolve(process.env.DARKROOM_SHARED ?? '../shared', 'models/files/selfie_segmentation.onnx');
const { u2netp, 'modnet-fp16': modnet, 'selfie-segmentation': selfie } = REMOVE_BG_WEIGHTS;

/** A picture has been cut out by the network that comes with the page, and the other networks are shown. */
async function showEngines(page: Page): Promise<void> {
  await chooseFiles(page, [await ballPicture()]);
  await page.getByRole('radio', { name: 'Compare' }).waitFor({ timeout: 60_000 });
  await page.getByText('Subject', { exact: true }).click();
}

const engine = (page: Page, name: string) => page.locator('label').filter({ hasText: name });

test('the choice of networks says what has to come of each, and changes by itself as it comes and goes', async () => {
  const { page } = await visit('/remove-bg');
  await showEngines(page);
  const small = engine(page, 'U²-Net small');
  await small.getByText('4.6 MB to download').waitFor();
  await engine(page, 'Darkroom').getByText('3.5 MB, comes with the page').waitFor();

  // The server gives a part, and is gone.
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
  await page.getByRole('button', { name: 'Apply and cut out again' }).click();
  await page.getByRole('alert').getByText('the weights cannot be had').waitFor();
  await small.getByText('3.6 MB of 4.6 MB still to download').waitFor();
  expect(asked).toEqual([undefined, 'bytes=1000000-']);

  const other = await page.context().newPage();
  await other.goto('/device');
  await other.getByRole('button', { name: 'Delete u2netp' }).click();
  await small.getByText('4.6 MB to download', { exact: true }).waitFor();
});

test('arrow keys pass through the networks without a run', async () => {
  const { page } = await visit('/remove-bg');
  await showEngines(page);
  const best = page.getByRole('radio', { name: /^The best at hand/ });
  await best.focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
  const chosen = page.getByRole('radio', { name: /^ISNet/ });
  expect([
    await chosen.isChecked(),
    await chosen.evaluate((radio) => radio === document.activeElement),
  ]).toEqual([true, true]);
  await page.getByRole('status').getByText('1 done').waitFor();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: 'Apply and cut out again' }).waitFor({ state: 'detached' });
  await page.getByRole('status').getByText('1 done').waitFor();
});

test('the choice of networks knows what is stored on the device', async () => {
  const { page } = await visit('/remove-bg');
  // Nobody reads it here: that would show that these are not its bytes.
  await storeWeights(page, 'modnet-fp16.onnx', modnet.bytes);
  await page.reload({ waitUntil: 'networkidle' });
  await showEngines(page);
  await engine(page, 'MODNet').getByText('13.0 MB, stored on this device').waitFor();
});

test.skipIf(!existsSync(SELFIE))(
  `a network is stored once it has run, with the weights in ${SELFIE} (not applicable where that is absent)`,
  async () => {
    const { page } = await visit('/remove-bg');
    await showEngines(page);
    await engine(page, 'MediaPipe selfie').getByText('448 kB to download').waitFor();
    const body = await readFile(SELFIE);
    await page
      .context()
      .route(selfie.url, (route) => route.fulfill({ headers: { 'access-control-allow-origin': '*' }, body }));
    await page.getByRole('radio', { name: /MediaPipe selfie/ }).check();
    await page.getByRole('button', { name: 'Apply and cut out again' }).click();
    await engine(page, 'MediaPipe selfie').getByText('448 kB, stored on this device').waitFor();
    await page.getByText('MediaPipe selfie 448 kB').waitFor({ timeout: 60_000 });
  },
);

test('a first run says that it loads what it takes, in the one bar of the run', async () => {
  const { page } = await visit('/remove-bg');
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.context().route('**/*.wasm', async (route) => {
    await released;
    await route.continue();
  });
  await chooseFiles(page, [await ballPicture()]);
  await page.getByRole('status').getByText('0 of 1, loading what it takes').waitFor();
  await page
    .getByRole('listitem')
    .getByText(/^loading · [1-9]\d? %$/)
    .waitFor();
  release();
  await page.getByRole('status').getByText('1 done').waitFor({ timeout: 60_000 });
});
