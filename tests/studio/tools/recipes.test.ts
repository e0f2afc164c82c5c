// @module-tag long
import { expect, test } from 'vitest';
import { listViolationsInBothThemes } from '../support/accessibility.ts';
import { createLargePicture, createTestPicture } from '../support/pictures.ts';
import { connectBrowser, downloadOnClick } from '../support/visit.ts';
import { listZipEntries } from '../support/zip.ts';

const visit = connectBrowser();

test('a ready recipe is changed, runs over several files without a network, and is saved and read again', async () => {
  // What a page loads late comes from the service worker without a network.
  const visited = await visit('/recipes', { serviceWorkers: 'allow' });
  const { page } = visited;
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await button(/^Web images/).click();
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  await expect.poll(() => steps.count()).toBe(2);
  const files = [await createTestPicture('a.jpg'), await createTestPicture('b.jpg', 40)];
  await page.locator('input[type=file][multiple]').first().setInputFiles(files);

  // Each step shows what it makes of the first file, and again after a change.
  await page.getByText(/^AVIF · /).waitFor();
  await page.getByText(/^WEBP · /).waitFor();
  await page.getByRole('spinbutton', { name: 'Width' }).fill('48');
  await page.getByRole('spinbutton', { name: 'Width' }).blur();
  await page.getByText(/After 48 × /).waitFor();
  expect(await listViolationsInBothThemes(page)).toEqual([]);

  // A step that is wrong says so, and nothing runs.
  await page.locator('summary', { hasText: 'JSON' }).click();
  const json = page.getByRole('textbox', { name: 'Recipe as JSON' });
  const before = await json.inputValue();
  await json.fill(before.replace('"width": 48', '"width": 0'));
  await button('Apply').click();
  await page.getByText('steps[0].params.width').waitFor();
  expect(JSON.parse(before).steps[0].params.width).toBe(48);

  await page.context().setOffline(true);
  await page.getByRole('textbox', { name: 'File names' }).fill('{name}-{width}-{step}.{ext}');
  await button('Run on this device: 2 images').click();
  await page.getByText('2 files done.').waitFor();
  const [, zip] = await downloadOnClick(page, () => button('Download the results').click());
  expect(listZipEntries(zip).filter((name) => name.endsWith('.avif'))).toEqual([
    'a-48-avif.avif',
    'b-48-avif.avif',
  ]);
  await page.context().setOffline(false);

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Small web images');
  await button('Save on this device').click();
  await page.reload();
  await button('New recipe').click();
  await button(/^small-web-images/).click();
  await expect.poll(() => steps.count()).toBe(2);
  // Without a network the browser itself complains of links that it cannot fetch ahead.
  expect(visited.requests.filter(({ hasBody }) => hasBody)).toEqual([]);
});

test('steps are added, moved and removed by keys, and the focus stays', async () => {
  const { page } = await visit('/recipes');
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  for (const tool of [/^Remove backgrounds/, /^Convert images/]) {
    await page.locator('summary', { hasText: 'Add a step' }).press('Enter');
    await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: tool }).press('Enter');
  }
  await expect
    .poll(() => steps.allInnerTexts())
    .toEqual([
      expect.stringContaining('remove-bg ← the file'),
      expect.stringContaining('convert ← remove-bg'),
    ]);
  await page.getByRole('button', { name: 'Move convert up' }).press('Enter');
  await expect.poll(() => steps.first().innerText()).toContain('convert ← the file');
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await expect.poll(focused).toContain('Convert images');
  await page.getByRole('button', { name: 'Remove convert' }).press('Enter');
  await expect.poll(() => steps.count()).toBe(1);
  await expect.poll(focused).toContain('Remove backgrounds');
});

test('what is wrong stays in view, and goes with the next change', async () => {
  const { page } = await visit('/recipes', { viewport: { width: 390, height: 844 } });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await button(/^Web images/).click();
  await page.locator('summary', { hasText: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'Recipe as JSON' }).fill('{oops');
  await button('Apply').click();
  const problem = page.getByText('This is not JSON.');
  await problem.waitFor();
  const box = await problem.boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeLessThan(844);
  await button('New recipe').click();
  await expect.poll(() => problem.count()).toBe(0);
});

test('results are named and made again as the page says now', async () => {
  const { page } = await visit('/recipes');
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await button(/^Web images/).click();
  const files = [await createTestPicture('a.jpg'), await createTestPicture('b.jpg', 40)];
  await page.locator('input[type=file][multiple]').first().setInputFiles(files);
  await button('Run on this device: 2 images').click();
  await page.getByText('2 files done.').waitFor();
  await page.getByRole('textbox', { name: 'File names' }).fill('{n}-{step}.{ext}');
  const download = () => downloadOnClick(page, () => button('Download the results').click());
  const [, named] = await download();
  expect(listZipEntries(named)).toEqual(['1-avif.avif', '1-webp.webp', '2-avif.avif', '2-webp.webp']);

  await page.getByRole('textbox', { name: 'File names' }).fill('{n}-{width}-{step}.{ext}');
  await page.getByRole('spinbutton', { name: 'Width' }).fill('48');
  await page.getByRole('spinbutton', { name: 'Width' }).blur();
  await page.getByText('The recipe has changed since.').waitFor();
  await button('Run on this device: 2 images').click();
  await page.getByText('2 files done.').waitFor();
  const [, changed] = await download();
  expect(listZipEntries(changed)).toContain('1-48-avif.avif');
});

test('a folder keeps the files that it had', async () => {
  const { page } = await visit('/recipes', {
    prepare: (opened) =>
      opened.addInitScript(() => {
        // The folder of the page stands for one of the visitor's, for which a browser asks.
        const openFolder = async () =>
          await (await navigator.storage.getDirectory()).getDirectoryHandle('shop', { create: true });
        Object.assign(window, { showDirectoryPicker: openFolder });
      }),
  });
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('shop', { create: true });
    const file = await folder.getFileHandle('a.webp', { create: true });
    const writable = await file.createWritable();
    await writable.write('an original');
    await writable.close();
  });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await button(/^Web images/).click();
  const files = [await createTestPicture('a.jpg'), await createTestPicture('b.jpg', 40)];
  await page.locator('input[type=file][multiple]').first().setInputFiles(files);
  await page.getByRole('textbox', { name: 'File names' }).fill('{name}.{ext}');
  await button('Write into a folder').click();
  const listFolder = () =>
    page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('shop');
      const listed: [name: string, isOriginal: boolean][] = [];
      for await (const [name, handle] of folder as unknown as AsyncIterable<[string, FileSystemFileHandle]>) {
        listed.push([name, (await (await handle.getFile()).text()) === 'an original']);
      }
      return listed.toSorted();
    });
  const expected = [
    ['a-2.webp', false],
    ['a.avif', false],
    ['a.webp', true],
    ['b.avif', false],
    ['b.webp', false],
  ];
  await button('Run on this device: 2 images').click();
  await page.getByText('2 files done, in the folder shop').waitFor();
  expect(await listFolder()).toEqual(expected);

  // The same results again replace themselves.
  await button('Run all again').click();
  await button('Run on this device: 2 images').click();
  await page.getByText('2 files done, in the folder shop').waitFor();
  expect(await listFolder()).toEqual(expected);
});

test('a new recipe has nothing of the one before: no progress, no words about its saving', async () => {
  const { page } = await visit('/recipes');
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await button(/^Web images/).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
  await button('Save on this device').click();
  const saved = page.getByText('Saved as shop on this device.');
  await saved.waitFor();
  await page
    .locator('input[type=file][multiple]')
    .first()
    .setInputFiles([await createLargePicture('large.jpg')]);
  const progress = page.getByRole('progressbar', { name: 'Progress of the preview' });
  await progress.waitFor();
  await button('New recipe').click();
  await expect.poll(() => progress.count()).toBe(0);
  await button(/^Web images/).click();
  await button('Save on this device').waitFor();
  expect(await saved.count()).toBe(0);
});

test('a recipe that comes together with images opens, and takes them', async () => {
  const { page } = await visit('/recipes');
  const step = { id: 'webp', operation: 'convert', params: { to_format: 'webp' } };
  const recipe = Buffer.from(JSON.stringify({ steps: [step] }));
  await page
    .locator('input[type=file][multiple]')
    .first()
    .setInputFiles([
      { name: 'shop.json', mimeType: 'application/json', buffer: recipe },
      await createTestPicture('a.jpg'),
    ]);
  await page.getByRole('button', { name: 'Run on this device: 1 image' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('shop');
});

test('what cannot be loaded, downloaded or deleted is said where it was asked for', async () => {
  const { page } = await visit('/recipes');
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await page.route('**/samples/kitten.jpg', (route) => route.abort());
  await button('Try it with a sample').click();
  await page.getByRole('alert').getByText('The sample could not be loaded.').waitFor();

  await button(/^Web images/).click();
  const files = [await createTestPicture('a.jpg'), await createTestPicture('b.jpg', 40)];
  await page.locator('input[type=file][multiple]').first().setInputFiles(files);
  await button('Run on this device: 2 images').click();
  await page.getByText('2 files done.').waitFor();
  await page.evaluate(() => {
    HTMLAnchorElement.prototype.click = () => {
      throw new DOMException('', 'NotAllowedError');
    };
  });
  await button('Download the results').click();
  const run = page.getByRole('region', { name: 'Run it over your files' });
  await run.getByRole('alert').filter({ hasText: /\S/ }).waitFor();

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
  await button('Save on this device').click();
  await page.evaluate(() => {
    IDBObjectStore.prototype.delete = () => {
      throw new DOMException('The disk is full.', 'UnknownError');
    };
  });
  await button('Delete shop from this device').click();
  await page.getByRole('alert').getByText('The disk is full.').waitFor();
});
