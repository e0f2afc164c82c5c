import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { imageFormatOf } from '../../models/kernels/image-header.ts';
import { chooseByKey, tabTo } from './support/keyboard.ts';
import { testPicture } from './support/pictures.ts';
import { chooseFiles, downloadBy, expectQuietAndPrivate, inBrowser } from './support/visit.ts';

const visit = inBrowser();

test('a drop on the home page is recognised, offered what fits, and carried to the tool', async () => {
  const visited = await visit('/');
  const { page } = visited;
  await drop(page, (await testPicture('dropped.jpg')).buffer, 'dropped.jpg', 'image/jpeg');
  await page.getByRole('heading', { name: '1 picture. What shall happen?' }).waitFor();
  await page.getByRole('button', { name: /^Convert/ }).click();
  await page.getByRole('button', { name: 'Convert 1 picture' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/convert');
  await page.getByRole('button', { name: 'Show dropped.jpg' }).waitFor();
  expectQuietAndPrivate(visited);
});

test('a file that nothing here works on is told so', async () => {
  const { page } = await visit('/');
  await drop(page, Buffer.from('words'), 'notes.txt', 'text/plain');
  await page.getByText('Nothing here works on this file yet.').waitFor();
});

test('a tool leaves out what it does not take, and names it', async () => {
  const { page } = await visit('/convert');
  await drop(page, Buffer.from('words'), 'notes.txt', 'text/plain');
  await page.getByText('Left out, since this tool does not read them: notes.txt').waitFor();
});

test('the keyboard alone gets a photo converted and downloaded', async () => {
  const { page } = await visit('/convert');
  await chooseByKey(page, 'Choose pictures', [await testPicture()]);
  await page.getByRole('button', { name: 'Show holiday.jpg' }).waitFor();
  await tabTo(page, 'JPG');
  await page.keyboard.press('ArrowRight');
  await tabTo(page, 'Convert 1 picture');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await tabTo(page, 'Download');
  const [name] = await downloadBy(page, () => page.keyboard.press('Enter'));
  expect(name).toBe('holiday.png');
});

test('a result is listed as recent until it is forgotten', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [await testPicture()]);
  await page.getByRole('button', { name: 'Convert 1 picture' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await page.goto('/recent');
  const [name] = await downloadBy(page, () =>
    page.getByRole('button', { name: 'Download holiday.jpg' }).click(),
  );
  expect(name).toBe('holiday.jpg');
  await page.getByRole('button', { name: 'Forget all' }).click();
  await page.getByText('Nothing here yet.').waitFor();
  await page.reload();
  await page.getByText('Nothing here yet.').waitFor();
});

test('after one visit the studio opens and converts without a network', async () => {
  const { page } = await visit('/', { serviceWorkers: 'allow' });
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage('keep-codecs');
  });
  await expect.poll(() => page.evaluate(keptCodecs), { timeout: 60_000 }).toBe(true);
  await page.context().setOffline(true);
  await page.goto('/convert');
  await chooseFiles(page, [await testPicture()]);
  await page.getByRole('radio', { name: 'TIFF' }).check();
  await page.getByRole('button', { name: 'Convert 1 picture' }).click();
  const download = page.getByRole('button', { name: 'Download', exact: true });
  await download.waitFor();
  // Only to look at the result: playwright's way of cutting the network also stops downloads out of memory.
  await page.context().setOffline(false);
  const [name, bytes] = await downloadBy(page, () => download.click());
  expect(name).toBe('holiday.tiff');
  expect(imageFormatOf(bytes)).toBe('tiff');
});

/** Runs in the page: whether its service worker has the last of the large files. */
async function keptCodecs(): Promise<boolean> {
  const [name = ''] = await caches.keys();
  const urls = (await (await caches.open(name)).keys()).map(({ url }) => url);
  return ['magick', 'ffmpeg-core'].every((codec) =>
    urls.some((url) => url.includes(codec) && url.endsWith('.wasm')),
  );
}

/** A drop as the browser makes it: on the window, with a file in it. */
async function drop(page: Page, bytes: Buffer, name: string, type: string): Promise<void> {
  const base64 = bytes.toString('base64');
  await page.evaluate(
    (file) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([content], file.name, { type: file.type }));
      for (const kind of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(
          new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }),
        );
      }
    },
    { base64, name, type },
  );
}
