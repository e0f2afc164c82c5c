import { expect, test } from 'vitest';
import { brokenPicture, testPicture } from './support/pictures.ts';
import {
  chooseFiles,
  downloadBy,
  expectQuietAndPrivate,
  expectToAskBeforeClosing,
  inBrowser,
} from './support/visit.ts';
import { zipNames } from './support/zip.ts';

const visit = inBrowser();

test('forty photos come back in one zip, each once', async () => {
  const visited = await visit('/convert');
  const { page } = visited;
  const files = await Promise.all(
    Array.from({ length: 40 }, (_, index) => testPicture(`photo-${index % 39}.jpg`, index)),
  );
  await chooseFiles(page, files);
  await page.getByRole('radio', { name: 'WebP' }).check();
  await page.getByRole('button', { name: 'Convert 40 pictures' }).click();
  const [name, bytes] = await downloadBy(page, () =>
    page.getByRole('button', { name: 'Download all 40 as zip' }).click(),
  );

  expect(name).toBe('darkroom-convert.zip');
  const names = zipNames(bytes);
  expect(names).toHaveLength(40);
  expect(new Set(names).size).toBe(40);
  expect(names).toContain('photo-0-2.webp');
  expectQuietAndPrivate(visited);
});

test('one broken file fails with a reason and the others are done', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [await testPicture('good.jpg'), brokenPicture('broken.jpg')]);
  await page.getByRole('button', { name: 'Convert 2 pictures' }).click();
  await page.getByText('1 done, 1 failed').waitFor();

  await page.getByRole('button', { name: 'Show broken.jpg' }).click();
  const reason = await page.getByRole('main').getByRole('alert').textContent();
  expect(reason).toContain('The image is of no known format');
  await page.getByRole('button', { name: 'Try broken.jpg again' }).click();
  await page.getByText('1 done, 1 failed').waitFor();
  const [name] = await downloadBy(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  );
  expect(name).toBe('good.jpg');
});

test('cancelling ends the workers at once, and the rest can be started again', async () => {
  const { page, complaints } = await visit('/convert');
  const files = await Promise.all(
    Array.from({ length: 12 }, (_, index) => testPicture(`${index}.jpg`, index)),
  );
  await chooseFiles(page, files);
  await page.getByRole('radio', { name: 'AVIF' }).check();
  await page.getByRole('button', { name: 'Convert 12 pictures' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /^Convert \d+ pictures?$/ }).waitFor();
  expect(page.workers()).toHaveLength(0);

  await page.getByRole('button', { name: /^Convert \d+ pictures?$/ }).click();
  await page.getByRole('button', { name: 'Download all 12 as zip' }).waitFor();
  expect(complaints).toEqual([]);
});

test('one file is tried again by itself', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [brokenPicture('one.jpg'), brokenPicture('two.jpg')]);
  await page.getByRole('button', { name: 'Convert 2 pictures' }).click();
  const failed = page.getByText('failed', { exact: true });
  await expect.poll(() => failed.count()).toBe(2);
  await chooseFiles(page, [await testPicture('added.jpg')]);
  await page.getByRole('button', { name: 'Try one.jpg again' }).click();
  await expect.poll(() => failed.count()).toBe(2);
  await page.getByRole('button', { name: 'Convert 1 picture' }).waitFor();
});

test('closing the tab asks first while work is running, and only then', async () => {
  const { page } = await visit('/convert');
  const files = await Promise.all(Array.from({ length: 12 }, (_, at) => testPicture(`${at}.jpg`, at)));
  await chooseFiles(page, files);
  await page.getByRole('radio', { name: 'AVIF' }).check();
  await page.getByRole('button', { name: 'Convert 12 pictures' }).click();
  await expectToAskBeforeClosing(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /^Convert \d+ pictures?$/ }).waitFor();
  await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]);
});

test('other settings drop the results made with the old ones', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [await testPicture()]);
  await page.getByRole('button', { name: 'Convert 1 picture' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await page.getByRole('radio', { name: 'PNG' }).check();
  await page.getByRole('button', { name: 'Convert 1 picture' }).waitFor();
  expect(await page.getByRole('button', { name: 'Download', exact: true }).count()).toBe(0);
});
