import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { chooseFilesByKeyboard, tabTo } from '../support/keyboard.ts';
import { createTestPicture } from '../support/pictures.ts';
import { chooseFiles, connectBrowser, downloadOnClick, expectNoLogsOrUploads } from '../support/visit.ts';

const visit = connectBrowser();

test('a file dropped on the home page is recognised, offered the matching tools, and passed to the chosen one', async () => {
  const visited = await visit('/');
  const { page } = visited;
  await drop(page, (await createTestPicture('dropped.jpg')).buffer, 'dropped.jpg', 'image/jpeg');
  await page.getByRole('heading', { name: '1 image. What would you like to do?' }).waitFor();
  await page.getByRole('button', { name: /^Convert/ }).click();
  await page.getByRole('button', { name: 'Convert 1 image' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/convert');
  await page.getByRole('button', { name: 'Show dropped.jpg' }).waitFor();
  expectNoLogsOrUploads(visited);
});

test('a file without a matching tool gets a message', { tags: ['long'] }, async () => {
  const { page } = await visit('/');
  await drop(page, Buffer.from('words'), 'notes.txt', 'text/plain');
  await page.getByText('No tool here supports this file yet.').waitFor();
});

test('a tool names the files that it skips, the reason and what it reads', { tags: ['long'] }, async () => {
  const { page } = await visit('/convert');
  await drop(page, Buffer.from('words'), 'notes.txt', 'text/plain');
  const notice = page.getByRole('alert').filter({ hasText: 'Skipped: notes.txt is not an image.' });
  await notice.getByText('This tool reads JPG, PNG, WebP, HEIC, AVIF, TIFF, GIF and BMP images.').waitFor();
  await notice.getByRole('button', { name: 'Close this notice' }).click();
  await notice.waitFor({ state: 'detached' });
});

test.each([
  ['/', 'heading', /What would you like to do/],
  ['/convert', 'button', 'Show kitten.jpg'],
] as const)(
  'a sample that cannot be downloaded adds no file, on %s',
  { tags: ['long'] },
  async (path, role, name) => {
    const { page } = await visit(path);
    await page.route('**/samples/*', (route) => route.fulfill({ status: 500, body: 'failed' }));
    await page.getByRole('button', { name: /^Try (it with|this photo)/ }).click();
    await page.getByText('The sample could not be loaded. Check your connection and try again.').waitFor();
    // The page still offers to choose a file, and to try the sample again.
    await page.unroute('**/samples/*');
    await page.getByRole('button', { name: /^Try (it with|this photo)/ }).click();
    await page.getByRole(role, { name }).waitFor();
  },
);

test('a photo can be converted and downloaded by keyboard alone', async () => {
  const { page } = await visit('/convert');
  await chooseFilesByKeyboard(page, 'Choose images', [await createTestPicture()]);
  await page.getByRole('button', { name: 'Show holiday.jpg' }).waitFor();
  await tabTo(page, 'JPG');
  await page.keyboard.press('ArrowRight');
  await tabTo(page, 'Convert 1 image');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await tabTo(page, 'Download');
  const [name] = await downloadOnClick(page, () => page.keyboard.press('Enter'));
  expect(name).toBe('holiday.png');
});

test('a result is listed as recent until it is deleted', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [await createTestPicture()]);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await page.goto('/recent');
  const [name] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download holiday.jpg' }).click(),
  );
  expect(name).toBe('holiday.jpg');
  await page.getByRole('button', { name: 'Delete all' }).click();
  await page.getByText('Nothing here yet.').waitFor();
  await page.reload();
  await page.getByText('Nothing here yet.').waitFor();
});

/** Drops a file on the window as the browser does. */
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
