import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { delayCodecs } from '../support/delay-codecs.ts';
import { createBrokenPicture, createTestPicture } from '../support/pictures.ts';
import {
  chooseFiles,
  connectBrowser,
  downloadOnClick,
  expectCloseWarning,
  expectNoLogsOrUploads,
} from '../support/visit.ts';
import { listZipEntries } from '../support/zip.ts';

const visit = connectBrowser();

test('forty photos are downloaded in one zip, each once', { tags: ['long'] }, async () => {
  const visited = await visit('/convert');
  const { page } = visited;
  const files = await Promise.all(
    Array.from({ length: 40 }, (_, index) => createTestPicture(`photo-${index % 39}.jpg`, index)),
  );
  await page.getByRole('radio', { name: 'WebP' }).check();
  await chooseFiles(page, files);
  await page.getByRole('button', { name: 'Convert 40 images' }).click();
  const [name, bytes] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download all 40 as zip' }).click(),
  );

  expect(name).toBe('darkroom-convert.zip');
  const names = listZipEntries(bytes);
  expect(names).toHaveLength(40);
  expect(new Set(names).size).toBe(40);
  expect(names).toContain('photo-0-2.webp');
  expectNoLogsOrUploads(visited);
});

test('a damaged file fails with a reason, and the others are converted', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [await createTestPicture('good.jpg'), createBrokenPicture('broken.jpg')]);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByText('1 done, 1 failed').waitFor();

  await page.getByRole('button', { name: 'Show broken.jpg' }).click();
  const reason = await page.getByRole('main').getByRole('alert').textContent();
  expect(reason).toBe('This .jpg is no image that Darkroom knows. Choose another file.');
  // Another run would only find the same.
  expect(await page.getByRole('button', { name: 'Try broken.jpg again' }).count()).toBe(0);
  const [name] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  );
  expect(name).toBe('good.jpg');

  // The grid shows all files, or those that failed alone, and a press goes to one of them.
  await page.getByRole('button', { name: 'All files' }).click();
  const tiles = page
    .getByRole('list', { name: 'Files', exact: true })
    .getByRole('button', { name: /^Show / });
  expect(await tiles.count()).toBe(2);
  await page.getByRole('radio', { name: 'Failed 1' }).check();
  expect(await tiles.count()).toBe(1);
  await tiles.first().click();
  await page.getByRole('main').getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Show good.jpg' }).click();
  const dragged = await page
    .getByRole('listitem')
    .filter({ hasText: 'good.jpg' })
    .evaluate((tile) => {
      const transfer = new DataTransfer();
      tile.dispatchEvent(new DragEvent('dragstart', { dataTransfer: transfer, bubbles: true }));
      return transfer.getData('DownloadURL');
    });
  expect(dragged).toMatch(/^image\/jpeg:good\.jpg:blob:/);
});

test('what is wrong with a file is said in words, with what to do', { tags: ['long'] }, async () => {
  const { page } = await visit('/convert');
  const whole = await sharp({
    create: {
      width: 300,
      height: 200,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .webp()
    .toBuffer();
  const cut = whole.subarray(0, Math.floor(whole.length * 0.605));
  const clip = await readFile(join(import.meta.dirname, '../../fixtures/videos/moving.mp4'));
  await chooseFiles(page, [
    { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
    { name: 'cut.webp', mimeType: 'image/webp', buffer: cut },
    { name: 'clip.jpg', mimeType: 'image/jpeg', buffer: clip },
  ]);
  await page.getByText('clip.jpg is a video.').waitFor();
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByText('2 failed').waitFor();
  for (const [name, words] of [
    ['empty.jpg', 'This file is empty. Choose another one.'],
    [
      'cut.webp',
      'The end of this file is missing: only the first 60 % is here. Get the whole file and add it again.',
    ],
  ]) {
    await page.getByRole('button', { name: `Show ${name}` }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: new RegExp(`^${words}$`) })
      .waitFor();
  }
});

test('a file that another tool reads is opened there', { tags: ['long'] }, async () => {
  const { page } = await visit('/convert');
  const clip = await readFile(join(import.meta.dirname, '../../fixtures/videos/moving.mp4'));
  await chooseFiles(page, [{ name: 'clip.mp4', mimeType: 'video/mp4', buffer: clip }]);
  await page.getByRole('button', { name: 'Open it in Remove backgrounds' }).click();
  await page.getByRole('heading', { level: 1, name: 'Remove backgrounds' }).waitFor();
  await page.getByRole('button', { name: 'Show clip.mp4' }).waitFor();
});

test('of several files that are skipped, the button names the one that it opens', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/convert');
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') };
  await chooseFiles(page, [notes, { ...notes, name: 'talk.mp3', mimeType: 'audio/mpeg' }]);
  await page.getByRole('button', { name: 'Open talk.mp3 in Who spoke when' }).waitFor();
  expect(await page.getByRole('button', { name: /^Open it/ }).count()).toBe(0);
});

test('the thumbnail of a very tall image is small and shows it', { tags: ['long'] }, async () => {
  const { page } = await visit('/convert');
  const red = { create: { width: 10, height: 20_000, channels: 3, background: 'red' } } as const;
  const buffer = await sharp(red).png().toBuffer();
  await chooseFiles(page, [{ name: 'tall.png', mimeType: 'image/png', buffer }]);
  const thumbnail = page.getByRole('button', { name: 'Show tall.png' }).locator('canvas:not([hidden])');
  const { height, sample } = await thumbnail.evaluate((canvas: HTMLCanvasElement) => ({
    height: canvas.height,
    sample: [...(canvas.getContext('2d')?.getImageData(0, 0, 1, 1).data ?? [])],
  }));
  expect(height).toBeLessThan(2000);
  expect(sample).toEqual([255, 0, 0, 255]);
});

test('cancelling ends the workers at once, and the remaining files can be restarted', {
  tags: ['long'],
}, async () => {
  const { page, complaints } = await visit('/convert');
  const files = await Promise.all(
    Array.from({ length: 12 }, (_, index) => createTestPicture(`${index}.jpg`, index)),
  );
  await page.getByRole('radio', { name: 'AVIF' }).check();
  await chooseFiles(page, files);
  const release = await delayCodecs(page);
  await page.getByRole('button', { name: 'Convert 12 images' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /^Convert \d+ images?$/ }).waitFor();
  await expect.poll(() => page.workers().length).toBe(0);
  release();

  await page.getByRole('button', { name: /^Convert \d+ images?$/ }).click();
  await page.getByRole('button', { name: 'Download all 12 as zip' }).waitFor();
  expect(complaints).toEqual([]);
});

test('where no file can be read, the page asks for another one and says why once', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [createBrokenPicture('broken.jpg')]);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('main').getByRole('alert').waitFor();
  const settings = page.getByRole('complementary', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Choose another file' }).waitFor();
  expect(await settings.innerText()).not.toContain('no image that Darkroom knows');
  expect(await page.getByRole('button', { name: /again$/ }).count()).toBe(0);
});

test('a file that failed for a lack of codecs can be retried alone', { tags: ['long'] }, async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [await createTestPicture('one.jpg', 1), await createTestPicture('two.jpg', 2)]);
  await page.context().route('**/*.wasm', (route) => route.abort());
  await page.getByRole('button', { name: 'Convert 2 images' }).click();
  await page.getByText('2 failed').waitFor();
  await page.context().unroute('**/*.wasm');
  await page.getByRole('button', { name: 'Try one.jpg again' }).click();
  await page.getByText('1 done, 1 failed').waitFor();
});

test('closing the tab asks for confirmation only during a run', { tags: ['long'] }, async () => {
  const { page } = await visit('/convert');
  const files = await Promise.all(Array.from({ length: 12 }, (_, at) => createTestPicture(`${at}.jpg`, at)));
  await page.getByRole('radio', { name: 'AVIF' }).check();
  await chooseFiles(page, files);
  await delayCodecs(page);
  await page.getByRole('button', { name: 'Convert 12 images' }).click();
  await expectCloseWarning(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /^Convert \d+ images?$/ }).waitFor();
  await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]);
});
