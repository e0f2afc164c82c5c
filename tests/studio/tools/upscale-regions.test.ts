// @module-tag long

import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { createBallPicture } from '../support/cutouts.ts';
import { delayCodecs } from '../support/delay-codecs.ts';
import { chooseFiles, connectBrowser, downloadOnClick } from '../support/visit.ts';

const visit = connectBrowser();

const getLoupe = (page: Page) => page.getByRole('application', { name: /^Loupe/ });
const getBar = (page: Page) => page.getByRole('region', { name: 'Region' });
const startRegion = async (page: Page) => {
  await page.getByRole('radio', { name: 'Region' }).check();
  await page.getByRole('button', { name: 'Upscale this region' }).click();
};
const isDone = (page: Page) => page.getByRole('button', { name: 'Download region' }).waitFor();
const asksBeforeLeaving = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

async function twoPictures() {
  const ball = await createBallPicture();
  return [ball, { ...ball, name: 'other.jpg' }];
}

test('a finished region is there again after the whole image, another file and other settings', async () => {
  const { page } = await visit('/upscale');
  await chooseFiles(page, await twoPictures());
  await page.getByRole('button', { name: 'Show ball.jpg' }).click();
  await startRegion(page);
  await isDone(page);
  await page.getByRole('button', { name: 'Show other.jpg' }).click();
  await page.getByRole('img', { name: 'other.jpg' }).waitFor();
  await page.getByRole('radio', { name: 'Region' }).check();
  await page.getByRole('button', { name: 'Upscale this region' }).waitFor();
  await page.getByRole('button', { name: 'Show ball.jpg' }).click();
  await page.getByRole('radio', { name: 'Region' }).check();
  await isDone(page);
  await page.getByRole('radio', { name: '4×' }).check();
  await page.getByRole('button', { name: 'Upscale this region' }).waitFor();
  await page.getByRole('radio', { name: '2×' }).check();
  await isDone(page);
  await page.getByRole('button', { name: 'Upscale 2 images' }).click();
  await page.getByRole('radio', { name: 'Compare' }).waitFor();
  await page.getByRole('radio', { name: 'Region' }).check();
  await isDone(page);
});

test('a finished region is among the recent results', async () => {
  const { page } = await visit('/upscale');
  await chooseFiles(page, [await createBallPicture()]);
  await startRegion(page);
  await isDone(page);
  await page.goto('/recent');
  const [name] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download ball-region.png' }).click(),
  );
  expect(name).toBe('ball-region.png');
});

test('a region goes on while another file is shown, and the tab asks before it closes', async () => {
  const { page } = await visit('/upscale');
  const release = await delayCodecs(page);
  await chooseFiles(page, await twoPictures());
  await page.getByRole('button', { name: 'Show ball.jpg' }).click();
  await startRegion(page);
  await expect.poll(() => asksBeforeLeaving(page)).toBe(true);
  await page.getByRole('button', { name: 'Show other.jpg' }).click();
  await page.getByRole('img', { name: 'other.jpg' }).waitFor();
  expect(await asksBeforeLeaving(page)).toBe(true);
  await page.getByRole('button', { name: 'Show ball.jpg' }).click();
  await page.getByRole('radio', { name: 'Region' }).check();
  await getBar(page).getByRole('button', { name: 'Cancel' }).waitFor();
  release();
  await isDone(page);
  await expect.poll(() => asksBeforeLeaving(page)).toBe(false);
});

test('where one run fits the device, a whole image waits for a region', async () => {
  const twoCores = (page: Page) =>
    page.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 2 }));
  const { page } = await visit('/upscale', { prepare: twoCores });
  const release = await delayCodecs(page);
  await chooseFiles(page, await twoPictures());
  await page.getByRole('button', { name: 'Show ball.jpg' }).click();
  await startRegion(page);
  await expect.poll(() => asksBeforeLeaving(page)).toBe(true);
  const workers = page.workers().length;
  await page.getByRole('button', { name: 'Upscale 2 images' }).click();
  await page.getByRole('button', { name: 'Show other.jpg' }).click();
  await page.getByRole('img', { name: 'other.jpg' }).waitFor();
  // The loupe has ended with the start, but the region has not, and no run has begun.
  expect(page.workers().length).toBeLessThanOrEqual(workers);
  release();
  await page.getByRole('button', { name: 'Download all 2 as zip' }).waitFor();
  await page.getByRole('button', { name: 'Show ball.jpg' }).click();
  await page.getByRole('radio', { name: 'Region' }).check();
  await isDone(page);
});

test('a region ends with its file, and nothing asks before the tab closes', async () => {
  const { page } = await visit('/upscale');
  await delayCodecs(page);
  await chooseFiles(page, [await createBallPicture()]);
  await startRegion(page);
  await expect.poll(() => asksBeforeLeaving(page)).toBe(true);
  await page.getByRole('button', { name: 'Remove ball.jpg' }).click();
  await expect.poll(() => asksBeforeLeaving(page)).toBe(false);
});

test('the loupe computes again after its worker has failed', async () => {
  const { page } = await visit('/upscale');
  await chooseFiles(page, [await createBallPicture()]);
  await page.getByText(/^Preview in/).waitFor();
  const failing = page.workers().map((worker) =>
    worker
      .evaluate(() => {
        setTimeout(() => {
          throw new Error('It broke.');
        });
      })
      // The page may end the worker before the response.
      .catch(() => {}),
  );
  await Promise.all(failing);
  const canvas = getLoupe(page).locator('canvas');
  const before = await canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL());
  await getLoupe(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect
    .poll(() => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL()), { timeout: 60_000 })
    .not.toBe(before);
  await page.getByText(/^Preview in/).waitFor();
});

test('a button of the region that its own press removes leaves the focus to the stage', async () => {
  const { page } = await visit('/upscale');
  await chooseFiles(page, [await createBallPicture()]);
  const isOnStage = () => page.evaluate(() => document.activeElement?.matches('section[data-stage]'));
  await page.getByRole('radio', { name: 'Region' }).check();
  await page.getByRole('button', { name: 'Upscale this region' }).press('Enter');
  await isDone(page);
  expect(await isOnStage()).toBe(true);
  await page.getByRole('button', { name: 'Choose another' }).press('Enter');
  await page.getByRole('button', { name: 'Upscale this region' }).waitFor();
  expect(await isOnStage()).toBe(true);
});
