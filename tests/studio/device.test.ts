import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectQuietAndPrivate, inBrowser } from './support/visit.ts';

const visit = inBrowser();

/** Leaves a file where a download would have left it. */
function store(page: Page, name: string, bytes: number): Promise<void> {
  return page.evaluate(
    async ([file, size]) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('weights', { create: true });
      const writable = await (await folder.getFileHandle(file, { create: true })).createWritable();
      await writable.write(new Uint8Array(size));
      await writable.close();
    },
    [name, bytes] as const,
  );
}

const names = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('weights', { create: true });
    const found: string[] = [];
    for await (const name of folder.keys()) found.push(name);
    return found;
  });

test('the device page lists models with size and licence, and deletes what is stored', async () => {
  const visited = await visit('/device');
  const { page } = visited;
  const row = (id: string) => page.getByRole('listitem').filter({ hasText: id });
  await row('u2netp').getByText('4.6 MB, not here').waitFor();
  await row('matte').getByText('3.5 MB, comes with the page').waitFor();
  await row('birefnet').getByText('MIT. Trained on DIS5K').waitFor();
  expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);

  await store(page, 'u2netp.onnx', 4_574_861);
  await store(page, 'modnet-fp16.onnx', 1_000_000);
  await page.reload({ waitUntil: 'networkidle' });
  await page.getByText('kept in this browser: 5.6 MB so far').waitFor();
  await row('u2netp').getByText('4.6 MB, here').waitFor();
  await row('modnet').getByText('1.0 MB of 13.0 MB, begun').waitFor();

  await page.getByRole('button', { name: 'Delete u2netp' }).click();
  await page.getByRole('status').getByText('u2netp is deleted.').waitFor();
  await row('u2netp').getByText('4.6 MB, not here').waitFor();
  expect(await names(page)).toEqual(['modnet-fp16.onnx']);
  expectQuietAndPrivate(visited);
});
