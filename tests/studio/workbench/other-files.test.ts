import { expect, test } from 'vitest';
import { createHugePicture, createLargePicture, createTestPicture } from '../support/pictures.ts';
import { chooseFiles, connectBrowser } from '../support/visit.ts';

const visit = connectBrowser();

test('a file without a suffix is recognised by its bytes', async () => {
  const { page } = await visit('/convert');
  const { buffer } = await createTestPicture();
  await chooseFiles(page, [{ name: 'scan', mimeType: 'application/octet-stream', buffer }]);
  await page.getByRole('button', { name: 'Show scan' }).waitFor();
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('region', { name: 'scan, result' }).waitFor();
});

test('a file that a tool refuses as too large opens in another one', { tags: ['long'] }, async () => {
  const { page } = await visit('/upscale');
  await chooseFiles(page, [await createLargePicture('wall.jpg')]);
  await page.getByRole('button', { name: 'Upscale 1 image' }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'megapixels' });
  await failure.getByRole('button', { name: 'Open it in Convert images' }).click();
  await page.waitForURL('**/convert');
  await page.getByRole('button', { name: 'Show wall.jpg' }).waitFor();
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('region', { name: 'wall.jpg, result' }).waitFor();
});

test('a file that no tool takes is not offered to another one', { tags: ['long'] }, async () => {
  const { page } = await visit('/moderate');
  await chooseFiles(page, [await createHugePicture('wall.jpg')]);
  const failure = page.getByRole('alert').filter({ hasText: 'At most 100 megapixels' });
  await failure.getByText('No other tool here takes this file.').waitFor();
  expect(await failure.getByRole('button').count()).toBe(0);
});

test('skipped files are named with the reason, and what the tool reads', { tags: ['long'] }, async () => {
  const { page } = await visit('/remove-bg');
  const words = { mimeType: 'text/plain', buffer: Buffer.from('words') };
  await chooseFiles(page, [
    { ...words, name: 'notes.txt' },
    { ...words, name: 'song.mp3', mimeType: 'audio/mpeg' },
  ]);
  const notice = page.getByRole('alert').filter({ hasText: 'Skipped' });
  await notice.getByText('song.mp3 is an audio file; notes.txt is not an image or video.').waitFor();
  await notice.getByText(/This tool reads .* images, and videos\./).waitFor();
});

test('beyond three skipped files the others are counted, and a list names them', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/remove-bg');
  const words = { mimeType: 'text/plain', buffer: Buffer.from('words') };
  await chooseFiles(
    page,
    ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt'].map((name) => ({ ...words, name })),
  );
  const notice = page.getByRole('alert').filter({ hasText: 'Skipped' });
  await notice.getByText('3.txt is not an image or video; and 2 more.').waitFor();
  await notice.getByText('Show the other 2 files').click();
  await notice.getByText('5.txt is not an image or video').waitFor();
  expect(await notice.getByRole('listitem').allInnerTexts()).toEqual([
    '4.txt is not an image or video',
    '5.txt is not an image or video',
  ]);
});
