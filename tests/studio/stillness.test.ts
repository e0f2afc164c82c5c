import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { testPicture } from './support/pictures.ts';
import { convertTo, inBrowser } from './support/visit.ts';

const visit = inBrowser();

/** Runs in the page before all else: notes whatever begins to move. */
function noteMovement(): void {
  const moved: string[] = [];
  Object.assign(globalThis, { moved });
  for (const kind of ['animationstart', 'transitionstart']) {
    addEventListener(kind, ({ target }) => moved.push(`${kind} of ${(target as Element).className}`), true);
  }
}

async function movementWhile(page: Page): Promise<readonly string[]> {
  await page.addInitScript(noteMovement);
  await page.goto('/');
  await page.goto('/convert');
  await convertTo(page, 'WebP', await testPicture());
  await page.getByRole('slider', { name: 'Share of the original' }).waitFor();
  return page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved);
}

test('nothing moves for a visitor who asked for stillness', async () => {
  const { page } = await visit('/device', { reducedMotion: 'reduce' });
  expect(await movementWhile(page)).toEqual([]);
});

test('for others a result develops, once, and nothing else moves', async () => {
  const { page } = await visit('/device', { reducedMotion: 'no-preference' });
  const moved = await movementWhile(page);
  expect(moved).toHaveLength(1);
  expect(moved[0]).toContain('develops');
});
