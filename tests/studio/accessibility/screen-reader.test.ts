import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { delayCodecs } from '../support/delay-codecs.ts';
import { createBrokenPicture, createTestPicture } from '../support/pictures.ts';
import { chooseFiles, connectBrowser } from '../support/visit.ts';

const visit = connectBrowser();

/** Runs in the page: records what a screen reader would announce of the status region, now, with three images. */
function listen(): void {
  const said: string[] = [];
  const regions = [...document.querySelectorAll('[role=status]')];
  const region = regions.find(({ textContent }) => textContent?.startsWith('3 images, '));
  Object.assign(globalThis, { said, region });
  if (!region) throw new Error('no live region before the work begins');
  new MutationObserver(() => said.push(region.textContent ?? '')).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  });
}

const said = (page: Page) => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);

test('one status region announces progress and end of a run to screen readers', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [
    await createTestPicture('a.jpg'),
    await createTestPicture('b.jpg'),
    createBrokenPicture('c.jpg'),
  ]);
  await page.getByText(/^3 images, /).waitFor();
  await page.evaluate(listen);
  await page.getByRole('button', { name: 'Convert 2 images' }).click();
  await page.getByText('2 done, 1 failed').waitFor();
  const announced = await said(page);
  expect(announced[0]).toBe('0 of 3');
  expect(announced.at(-1)).toContain('2 done, 1 failed');
  const stays = await page.evaluate(() => (globalThis as unknown as { region: Element }).region.isConnected);
  expect(stays).toBe(true);
});

test('progress, images and results have accessible names', { tags: ['long'] }, async () => {
  const { page } = await visit('/convert');
  await page.getByRole('radio', { name: 'AVIF' }).check();
  await chooseFiles(page, [await createTestPicture('a.jpg'), await createTestPicture('b.jpg')]);
  const release = await delayCodecs(page);
  await page.getByRole('button', { name: 'Convert 2 images' }).click();
  await page.getByRole('progressbar', { name: 'Progress of all files' }).waitFor();
  await page.getByRole('progressbar', { name: 'Progress of a.jpg' }).waitFor();
  release();
  await page.getByRole('button', { name: 'Download the result of a.jpg' }).waitFor();
  await page.getByRole('img', { name: 'a.jpg, result' }).waitFor();
});
