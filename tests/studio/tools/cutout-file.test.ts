// @module-tag long

import type { Page } from 'playwright';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { formatBytes as sizeInWords } from '../../../app/ui/quantities.ts';
import { createBallPicture, createSkyPicture, decodePixels, paintStroke } from '../support/cutouts.ts';
import { chooseFiles, connectBrowser, downloadOnClick } from '../support/visit.ts';
import { listZipEntries } from '../support/zip.ts';

const visit = connectBrowser();

const facts = (page: Page) => page.getByRole('list', { name: 'Facts' });
const downloadNamed = (page: Page, name: string) =>
  downloadOnClick(page, () => page.getByRole('button', { name, exact: true }).click());

test('the facts name the format and the size of the file that is saved, and nothing before they are known', async () => {
  const { page } = await visit('/remove-bg');
  await chooseFiles(page, [await createBallPicture()]);
  await facts(page).getByText('PNG · 480 × 320').waitFor();
  const [, found] = await downloadNamed(page, 'Download');
  await facts(page).getByText(sizeInWords(found.length), { exact: true }).waitFor();

  await page.getByRole('radio', { name: 'Rose' }).check();
  await page.getByRole('radio', { name: 'JPG', exact: true }).check();
  expect(await facts(page).textContent()).not.toContain('PNG');
  await facts(page).getByText('JPEG · 480 × 320').waitFor();
  const [name, saved] = await downloadNamed(page, 'Download');
  expect(name).toBe('ball-cutout.jpg');
  expect(saved.length).not.toBe(found.length);
  await facts(page).getByText(sizeInWords(saved.length), { exact: true }).waitFor();
  const strip = page.getByRole('list', { name: 'Files' });
  await strip.getByText(sizeInWords(saved.length), { exact: true }).waitFor();
});

test('a tile of a file that is not shown names the size of its download, too', async () => {
  const { page } = await visit('/remove-bg');
  await chooseFiles(page, [await createBallPicture('one.jpg'), await createBallPicture('two.jpg')]);
  await page.getByRole('status').getByText('2 done').waitFor();
  await page.getByRole('button', { name: 'Show one.jpg' }).click();
  await page.getByRole('radio', { name: 'Rose' }).check();
  await page.getByRole('radio', { name: 'JPG', exact: true }).check();
  const tile = page.getByRole('listitem').filter({ hasText: 'two.jpg' });
  const size = tile.getByText(/^[\d.]+ k?B$/);
  await size.waitFor();
  const shown = await size.innerText();
  const [name, saved] = await downloadNamed(page, 'Download the result of two.jpg');
  expect([name, sizeInWords(saved.length)]).toEqual(['two-cutout.jpg', shown]);
});

test('files that are being prepared still arrive when the visitor opens another page', async () => {
  const { page } = await visit('/remove-bg');
  const { buffer, ...ball } = await createBallPicture();
  // Large enough to be written for a while.
  const large = await sharp(buffer).resize(3000).jpeg().toBuffer();
  await chooseFiles(
    page,
    ['one.jpg', 'two.jpg'].map((name) => ({ ...ball, name, buffer: large })),
  );
  await page.getByRole('status').getByText('2 done').waitFor();
  await page.getByRole('radio', { name: 'Rose' }).check();
  const arriving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download all 2 as zip' }).click();
  await page.getByRole('link', { name: 'Recent' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Recent' }).waitFor();
  expect((await arriving).suggestedFilename()).toBe('darkroom-remove-bg.zip');
});

test('a transparent cutout that is saved as JPG is shown on white, as it will be', async () => {
  const { page } = await visit('/remove-bg');
  await chooseFiles(page, [await createBallPicture()]);
  await page.locator('[data-transparent=true]').first().waitFor();
  await page.getByRole('radio', { name: 'JPG', exact: true }).check();
  const ground = page.locator('[data-transparent=false]').first();
  await ground.waitFor();
  expect(await ground.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  );
  const [, saved] = await downloadNamed(page, 'Download');
  expect((await decodePixels(saved)).at(10, 10)).toEqual([255, 255, 255, 255]);
});

test('an empty cutout is marked among the files and left out of the zip, until the brush has painted on it', async () => {
  const { page } = await visit('/remove-bg');
  await chooseFiles(page, [
    await createBallPicture('one.jpg'),
    await createSkyPicture(),
    await createBallPicture('two.jpg'),
  ]);
  const mark = page.getByText('no clear subject', { exact: true });
  await mark.waitFor();
  const [, zip] = await downloadNamed(page, 'Download all 2 as zip');
  expect(listZipEntries(zip)).toEqual(['one-cutout.png', 'two-cutout.png']);
  const leftOut = page.getByText('Left out: sky.jpg (no clear subject).');
  await leftOut.waitFor();
  await page.getByRole('button', { name: 'Remove two.jpg' }).click();
  await leftOut.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Show two.jpg' }).waitFor();

  await page.getByRole('button', { name: 'Show sky.jpg' }).click();
  await page.getByRole('button', { name: 'Open the brush' }).click();
  await paintStroke(page, [0.4, 0.5], [0.6, 0.5]);
  await mark.waitFor({ state: 'detached' });
  const [, whole] = await downloadNamed(page, 'Download all 3 as zip');
  expect(listZipEntries(whole)).toEqual(['one-cutout.png', 'sky-cutout.png', 'two-cutout.png']);
});

test('a result that cannot be passed on says so next to the menu of tools, which has closed', async () => {
  const { page } = await visit('/remove-bg');
  await chooseFiles(page, [await createBallPicture()]);
  await page.getByText('Use in', { exact: true }).click();
  // The browser makes no files any more.
  await page.evaluate(() => Object.assign(window, { File: undefined }));
  const menu = page.locator('details').filter({ hasText: 'Use in' });
  await page.getByRole('button', { name: 'Use in Convert images' }).click();
  await page.getByRole('heading', { level: 1 }).click();
  await expect.poll(() => menu.evaluate((details: HTMLDetailsElement) => details.open)).toBe(false);
  await page.getByRole('alert').getByText('Something went wrong in Darkroom').waitFor();
});
