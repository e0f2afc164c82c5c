// @module-tag long
import { expect, test } from 'vitest';
import { createTestPicture } from '../support/pictures.ts';
import { chooseFiles, connectBrowser } from '../support/visit.ts';
import { watchRenders } from '../support/watch-renders.ts';

const visit = connectBrowser();

test('the steps of a run render neither the settings nor the tiles of files that are done', async () => {
  const { page } = await visit('/convert', { prepare: watchRenders });
  const files = await Promise.all([...Array(8).keys()].map((at) => createTestPicture(`${at}.jpg`, at)));
  await chooseFiles(page, files);
  await page.getByRole('button', { name: 'Convert 8 images' }).waitFor();
  await page.evaluate(() => {
    window.commits.length = 0;
  });
  await page.getByRole('button', { name: 'Convert 8 images' }).click();
  await page.getByRole('button', { name: 'Download all 8 as zip' }).waitFor();
  const counts = await page.evaluate(() => {
    const isOf = (selector: string) => (element: Element) => element.closest(selector) !== null;
    const count = (selector: string) =>
      window.commits.filter((elements) => elements.some(isOf(selector))).length;
    const getTile = (element: Element) => element.closest('[aria-label=Files] > li') ?? [];
    const tiles = window.commits.map((elements) => new Set(elements.flatMap(getTile)));
    return {
      commits: window.commits.length,
      settings: count('[aria-label=Settings] fieldset'),
      head: count('header:has(h1)'),
      tiles: tiles.reduce((sum, { size }) => sum + size, 0),
    };
  });
  // The beginning and the end of the run render all.
  expect(counts.settings).toBeLessThan(counts.commits / 2);
  expect(counts.head).toBeLessThan(counts.commits / 2);
  // Eight tiles and the one that adds files, if each commit rendered them all.
  expect(counts.tiles).toBeLessThan((9 * counts.commits) / 2);
});
