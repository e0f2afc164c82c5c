import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOOL_LIST } from '../../../app/studio/tools/tools.ts';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { createTestPicture } from '../support/pictures.ts';
import { storeRunTimes } from '../support/stored-run-times.ts';
import { chooseFiles, connectBrowser, expectNoLogsOrUploads } from '../support/visit.ts';

const visit = connectBrowser();

const VIDEO = join(import.meta.dirname, '../../fixtures/videos/moving.mp4');
const UNTYPED = 'application/octet-stream';

test('a file is recognised by its bytes, and shown with its size, the tools that fit and their time here', async () => {
  const visited = await visit('/', {
    prepare: (page) => storeRunTimes(page, 'media-convert-image'),
  });
  const { page } = visited;
  const { buffer } = await createTestPicture();
  await chooseFiles(page, [{ name: 'scan.mp4', mimeType: UNTYPED, buffer }]);
  await page.getByRole('heading', { name: '1 image. What would you like to do?' }).waitFor();
  await page.getByText(/^96 × 64 · /).waitFor();
  await page.locator('main canvas').waitFor();
  const tools = page.getByRole('list', { name: 'Tools for scan.mp4' });
  expect(await tools.getByRole('button').allInnerTexts()).toEqual([
    expect.stringMatching(/^Convert images\s+about 0\.2 s$/),
    'Remove backgrounds',
    'Check images',
    'Upscale',
    'Extend images',
  ]);
  expect(await listAccessibilityViolations(page)).toEqual([]);
  expectNoLogsOrUploads(visited);
});

test('an empty file is reported as empty', { tags: ['long'] }, async () => {
  const { page } = await visit('/');
  const empty = { mimeType: 'image/png', buffer: Buffer.alloc(0) };
  await chooseFiles(page, [{ ...empty, name: 'empty.png' }]);
  await page.getByText('This file is empty.').waitFor();
  await chooseFiles(page, [{ ...empty, name: 'other.png' }]);
  await page.getByText('These files are empty.').waitFor();
  expect(await page.getByText('No tool here supports').count()).toBe(0);
});

test('files of several kinds each get their own tools, and more can be added', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/');
  const video = { name: 'clip', mimeType: UNTYPED, buffer: await readFile(VIDEO) };
  await chooseFiles(page, [await createTestPicture('one.jpg'), video]);
  await page.getByRole('heading', { name: '1 image and 1 video. What would you like to do?' }).waitFor();
  await chooseFiles(page, [
    await createTestPicture('two.jpg'),
    { ...video, name: 'notes', buffer: Buffer.from('words') },
  ]);
  await page
    .getByRole('heading', { name: '2 images, 1 video, and 1 other file. What would you like to do?' })
    .waitFor();
  const names = (title: string) =>
    page
      .getByRole('list', { name: `Tools for ${title}` })
      .getByRole('button')
      .allInnerTexts();
  expect(await names('2 images')).toEqual([
    'Convert images',
    'Remove backgrounds',
    'Check images',
    'Upscale',
    'Extend images',
  ]);
  expect(await names('clip')).toEqual(['Remove backgrounds', 'Upscale', 'Who spoke when', 'Split stems']);
  await page.getByText(/^\d:\d\d · \d+ × \d+ · /).waitFor();
  await page.getByText('No tool here supports this file yet.').waitFor();
  await page.getByRole('button', { name: 'Convert images' }).click();
  await page.getByRole('button', { name: 'Show two.jpg' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/convert');
});

test('the first window compares a photograph with the product’s result, by hand', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/');
  const line = page.getByRole('slider').first();
  await line.focus();
  await page.keyboard.press('ArrowRight');
  expect(await line.getAttribute('aria-valuetext')).toBe('51 % original');
  const box = await page.getByRole('figure').first().boundingBox();
  if (!box) throw new Error('The example has no size');
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 4, box.y + 60);
  await page.mouse.up();
  await expect.poll(async () => Number(await line.inputValue())).toBeLessThan(30);
});

test('the home page lists each tool once, with a result', async () => {
  const { page } = await visit('/');
  const grid = page.getByRole('region', { name: 'Tools', exact: true });
  // Below the cards, the recipes have a link of their own.
  const links = grid.getByRole('listitem').getByRole('link');
  expect(await links.allInnerTexts()).toEqual(TOOL_LIST.map(({ name }) => name));
  // A check finds words: any other result is an image next to its original.
  const isCheck = ({ operationId }: (typeof TOOL_LIST)[number]) => operationId === 'image-moderation';
  expect(await grid.getByRole('slider').count()).toBe(TOOL_LIST.filter((tool) => !isCheck(tool)).length);
  await links.first().click();
  await page.getByRole('heading', { level: 1, name: TOOL_LIST[0]?.name ?? '' }).waitFor();
});

test.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])('the first window of $width × $height names all seven tools', { tags: ['long'] }, async (viewport) => {
  const { page } = await visit('/', { viewport });
  const links = page.getByRole('navigation', { name: 'Tools' }).getByRole('link');
  expect(await links.allInnerTexts()).toEqual(TOOL_LIST.map(({ name }) => name));
  const last = await links.last().boundingBox();
  expect((last?.y ?? Number.NaN) + (last?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
});

test('a card says what its tool costs', async () => {
  const { page } = await visit('/');
  const grid = page.getByRole('region', { name: 'Tools', exact: true });
  await grid.getByText('Free here · by API $0.002 per image').first().waitFor();
});
