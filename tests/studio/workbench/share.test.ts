// @module-tag long

import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { chooseFiles, connectBrowser, downloadOnClick, expectNoLogsOrUploads } from '../support/visit.ts';

const visit = connectBrowser();

test('a before and after is saved as a picture and as a video, on this device, and the menu closes', async () => {
  const visited = await visit('/convert');
  const { page } = visited;
  const buffer = await readFile('public/samples/kitten.jpg');
  await chooseFiles(page, [{ name: 'kitten.jpg', mimeType: 'image/jpeg', buffer }]);
  await page.getByRole('radio', { name: 'WebP', exact: true }).check();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  const menu = page.locator('summary', { hasText: 'Before and after' });
  const choice = (kind: string) => page.getByRole('button', { name: `Save as a ${kind}` });
  const save = async (kind: string) => {
    await menu.click();
    return await downloadOnClick(page, () => choice(kind).click());
  };

  const [pictureName, picture] = await save('picture');
  expect(pictureName).toBe('kitten-comparison.png');
  const { width = 0, height = 0 } = await sharp(picture).metadata();
  const original = await sharp(buffer).metadata();
  expect(width / height).toBeCloseTo((original.width ?? 0) / (original.height ?? 1), 2);
  expect(await choice('picture').isVisible()).toBe(false);
  // The keyboard goes on from the menu.
  expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true);

  const [videoName, video] = await save('3 s video');
  expect(videoName).toMatch(/^kitten-comparison\.(mp4|webm)$/);
  expect(video.length).toBeGreaterThan(20_000);
  expectNoLogsOrUploads(visited);
});
