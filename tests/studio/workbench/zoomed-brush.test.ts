// @module-tag long

import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { BALL, brushIsDone, cutOut, downloadCutout, paintStroke } from '../support/cutouts.ts';
import { getBox, pressOn, zoomWords } from '../support/stage.ts';
import { connectBrowser, type Visit } from '../support/visit.ts';

const visit = connectBrowser();

const shared = visit.share(() => cutOut(visit));

/** Opens the brush of a cutout far above the whole image. */
async function openBrush(): Promise<Visit> {
  const visited = await shared();
  const { page } = visited;
  await page.getByRole('radio', { name: 'Brush' }).check();
  await pressOn(page, '1', '+', '+', '+');
  await expect.poll(async () => Number.parseInt((await zoomWords(page)) ?? '', 10)).toBeGreaterThan(220);
  return visited;
}

/** Place in the sky, which that still shows: in shares of the sides, and in pixels. */
const IN_SKY = { share: [0.31, 0.32], pixel: [0.31 * BALL.width, 0.32 * BALL.height] } as const;
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });

async function getAlpha(page: Page): Promise<number | undefined> {
  const { at } = await downloadCutout(page);
  return at(Math.round(IN_SKY.pixel[0]), Math.round(IN_SKY.pixel[1]))[3];
}

test('the brush moves the image instead of painting while the space bar is held', async () => {
  const { page } = await openBrush();
  const image = page.getByRole('img', { name: 'ball.jpg, result' });
  const sheet = page.getByRole('application', { name: 'Brush' });
  await sheet.focus();
  const { left, top, width, height } = await getBox(sheet);
  const [x, y] = [left + width / 2, top + height / 2];
  const before = await getBox(image);
  await page.mouse.move(x, y);
  await page.keyboard.down('Space');
  await page.mouse.down();
  await page.mouse.move(x + 70, y + 30, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Space');
  const after = await getBox(image);
  // Drawn on whole pixels of the screen.
  expect(Math.abs(after.left - before.left - 70)).toBeLessThanOrEqual(1);
  expect(Math.abs(after.top - before.top - 30)).toBeLessThanOrEqual(1);
  expect(await undo(page).isDisabled()).toBe(true);
  await expect.poll(() => page.getByText('Painting what to').count()).toBe(0);
});

test('the brush paints where the pointer is when zoomed in, and Ctrl Z, Ctrl Shift Z and Ctrl Y undo and redo it', async () => {
  const { page } = await openBrush();
  await paintStroke(page, [...IN_SKY.share], [IN_SKY.share[0] + 0.01, IN_SKY.share[1]]);
  await brushIsDone(page);
  expect(await getAlpha(page)).toBeGreaterThan(200);
  await page.keyboard.press('Control+z');
  await expect.poll(() => undo(page).isDisabled()).toBe(true);
  expect(await getAlpha(page)).toBe(0);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => undo(page).isEnabled()).toBe(true);
  await brushIsDone(page);
  expect(await getAlpha(page)).toBeGreaterThan(200);
  await page.keyboard.press('Control+z');
  await expect.poll(() => undo(page).isDisabled()).toBe(true);
  await page.keyboard.press('Control+y');
  await expect.poll(() => undo(page).isEnabled()).toBe(true);
});
