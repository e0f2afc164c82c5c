// @module-tag long

import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { createTestPicture } from '../support/pictures.ts';
import { connectBrowser, convertFile, openPage } from '../support/visit.ts';

const visit = connectBrowser();

/** Runs in the page before everything else: records every animation. */
function noteMovement(): void {
  const moved: string[] = [];
  Object.assign(globalThis, { moved });
  for (const kind of ['animationstart', 'transitionstart']) {
    addEventListener(kind, ({ target }) => moved.push(`${kind} of ${(target as Element).className}`), true);
  }
}

const movement = (page: Page) => page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved);

/** Visits the home page, then converts an image, and returns the movement of each. */
async function getMovement(
  reducedMotion: 'reduce' | 'no-preference',
): Promise<[home: string[], tool: string[]]> {
  const prepare = (page: Page) => page.addInitScript(noteMovement);
  const { page } = await visit('/', { reducedMotion, prepare });
  const atHome = await movement(page);
  await openPage(page, '/convert');
  await convertFile(page, 'WebP', await createTestPicture());
  await page.getByRole('slider', { name: 'Share of the original' }).waitFor();
  return [atHome, await movement(page)];
}

test('nothing moves with reduced motion', async () => {
  expect(await getMovement('reduce')).toEqual([[], []]);
});

test('without reduced motion only examples and a result are animated, the result once', async () => {
  const [home, tool] = await getMovement('no-preference');
  expect(home.filter((moved) => !moved.includes('develops'))).toEqual([]);
  expect(tool).toEqual([expect.stringContaining('develops')]);
});
