// @module-tag long

import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { createSubjectVideo } from '../../support/media/subject-video.ts';
import { createBallPicture } from '../support/cutouts.ts';
import { failWorkers, interceptWorkers, pauseWorkers, resumeWorkers } from '../support/pause-workers.ts';
import { chooseFiles, connectBrowser, type VisitOptions } from '../support/visit.ts';

const visit = connectBrowser();

const getLoupe = (page: Page) => page.getByRole('application', { name: /^Loupe/ });
const enlarged = (page: Page) => getLoupe(page).locator('canvas');
const isReady = (page: Page) => page.getByText(/^Preview in/).waitFor();
const isComputing = (page: Page) => page.getByText('Making the preview…').waitFor();
const getPixels = (page: Page) =>
  enlarged(page).evaluate((element: HTMLCanvasElement) => element.toDataURL());

async function opened(options: VisitOptions = {}): Promise<Page> {
  const { page } = await visit('/upscale', { prepare: interceptWorkers, ...options });
  await chooseFiles(page, [await createBallPicture()]);
  await isReady(page);
  return page;
}

async function chooseDownload(page: Page): Promise<void> {
  await page.getByText('Model', { exact: true }).first().click();
  await page.getByRole('radio', { name: /Real-ESRGAN general/ }).check();
  await page.getByRole('button', { name: 'Load 4.9 MB' }).waitFor();
}

test('the loupe shows nothing of other settings', async () => {
  const page = await opened();
  expect(await enlarged(page).count()).toBe(1);
  await chooseDownload(page);
  expect(await enlarged(page).count()).toBe(0);
});

test('the loupe stays as it is when only the format changes', async () => {
  const page = await opened();
  await pauseWorkers(page);
  await page.getByRole('radio', { name: 'JPG' }).check();
  expect(await page.getByText(/^Preview in/).count()).toBe(1);
  expect(await enlarged(page).count()).toBe(1);
});

test('the loupe shows nothing of another frame', async () => {
  const { page } = await visit('/upscale', { prepare: interceptWorkers });
  const buffer = Buffer.from(await (await createSubjectVideo()).arrayBuffer());
  await chooseFiles(page, [{ name: 'clip.mp4', mimeType: 'video/mp4', buffer }]);
  await isReady(page);
  const first = await getPixels(page);
  await page.getByRole('radio', { name: 'Video', exact: true }).check();
  const position = page.getByRole('slider', { name: 'Position in the video' });
  // Until the video knows its length, its end is its beginning.
  const moveToEnd = async () => {
    await position.press('End');
    return Number(await position.inputValue());
  };
  await expect.poll(moveToEnd).toBeGreaterThan(0.2);
  await pauseWorkers(page);
  await page.getByRole('radio', { name: 'Loupe' }).check();
  await isComputing(page);
  expect(await enlarged(page).count()).toBe(0);
  await resumeWorkers(page);
  await isReady(page);
  expect(await getPixels(page)).not.toBe(first);
});

test('a failure under the loupe is forgotten once the same place succeeds', async () => {
  const page = await opened();
  // The time of the loupe is measured by a second run, which must not be the one that fails.
  await page.getByText(/^Free here, about /).waitFor();
  await pauseWorkers(page);
  await getLoupe(page).focus();
  await page.keyboard.press('ArrowRight');
  await isComputing(page);
  await failWorkers(page);
  const failure = page.getByText(/Something went wrong in Darkroom/);
  await failure.waitFor();
  await resumeWorkers(page);
  await page.keyboard.press('ArrowLeft');
  await isReady(page);
  await page.keyboard.press('ArrowRight');
  await isReady(page);
  expect(await failure.count()).toBe(0);
});

test('the button that loads a model for the loupe leaves the focus to the stage', async () => {
  const page = await opened();
  await page.context().route(/huggingface/, (route) => route.abort());
  await chooseDownload(page);
  const load = page.getByRole('button', { name: 'Load 4.9 MB' });
  await load.press('Enter');
  await load.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.matches('section[data-stage]'))).toBe(true);
});

test('a finger moves the loupe, and two zoom without moving it', async () => {
  const page = await opened({ hasTouch: true });
  const label = () => getLoupe(page).getAttribute('aria-label');
  const box = await getLoupe(page).boundingBox();
  if (!box) throw new Error('There is no loupe.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const device = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: (readonly [number, number])[]) =>
    device.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: fingers.map(([x, y], id) => ({ x, y, id })),
    });
  const before = await label();
  await touch('touchStart', [x, y]);
  await touch('touchMove', [x - 40, y - 30]);
  await touch('touchEnd');
  await expect.poll(label).not.toBe(before);
  const moved = await label();

  const image = page.getByRole('img', { name: 'ball.jpg' });
  const width = async () => (await image.boundingBox())?.width ?? 0;
  const whole = await width();
  await touch('touchStart', [x - 40, y - 30]);
  await touch('touchStart', [x - 40, y - 30], [x + 20, y - 30]);
  for (const apart of [80, 110, 150]) await touch('touchMove', [x - 40, y - 30], [x - 40 + apart, y - 30]);
  // The second finger leaves first, and the one that is left moves nothing.
  await touch('touchEnd', [x - 40, y - 30]);
  await touch('touchMove', [x - 90, y - 60]);
  await touch('touchEnd');
  await expect.poll(width).toBeGreaterThan(whole * 1.5);
  expect(await label()).toBe(moved);
});
