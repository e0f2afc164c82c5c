// @module-tag long
import type { Page } from 'playwright';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { cutOut, downloadCutout } from '../support/cutouts.ts';
import { reloadStored } from '../support/stored-session.ts';
import { connectBrowser, downloadOnClick } from '../support/visit.ts';

const visit = connectBrowser();

async function openCanvas(): Promise<Page> {
  const { page } = await cutOut(visit);
  await page.locator('summary', { hasText: 'Canvas' }).click();
  return page;
}

const shownAspect = async (page: Page) => {
  const box = await page.getByRole('img', { name: /, result$/ }).boundingBox();
  return box ? box.width / box.height : 0;
};

test('a separate canvas is shown and saved, until it is undone', async () => {
  const page = await openCanvas();
  // In quick succession: each choice is a separate step.
  await page.getByRole('radio', { name: '9:16', exact: true }).check();
  await page.getByRole('radio', { name: 'Shop', exact: true }).check();
  await expect.poll(() => shownAspect(page)).toBeCloseTo(1, 1);
  expect(await listAccessibilityViolations(page)).toEqual([]);
  const shop = await downloadCutout(page);
  expect(shop.size).toEqual([2000, 2000]);
  expect(shop.at(5, 5)).toEqual([255, 255, 255, 255]);
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await undo.click();
  await expect.poll(() => shownAspect(page)).toBeCloseTo(9 / 16, 1);
  await undo.click();
  const before = await downloadCutout(page);
  expect(before.at(5, 5)[3]).toBe(0);
});

test('a passport photo has lines for the head, and a sheet to print', async () => {
  const page = await openCanvas();
  await page.getByRole('radio', { name: 'Passport', exact: true }).check();
  await page.getByRole('radio', { name: 'Place', exact: true }).check();
  await page.getByText('Fit the head between the lines.').waitFor();
  expect(await page.locator('[data-grip="scale"]').count()).toBe(4);
  const [name, sheet] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download a sheet to print' }).click(),
  );
  expect(name).toMatch(/-passport-sheet\.png$/);
  const { width, height, density } = await sharp(sheet).metadata();
  expect([width, height, density]).toEqual([1772, 1181, 300]);
  expect(await listAccessibilityViolations(page)).toEqual([]);
});

test('a canvas of any size is shown and saved', async () => {
  const page = await openCanvas();
  await page.getByRole('radio', { name: 'Free', exact: true }).check();
  await page.getByRole('spinbutton', { name: 'Width' }).fill('900');
  await page.getByRole('spinbutton', { name: 'Height' }).fill('300');
  await page.getByRole('spinbutton', { name: 'Height' }).blur();
  await expect.poll(() => shownAspect(page)).toBeCloseTo(3, 1);
  expect(await listAccessibilityViolations(page)).toEqual([]);
  expect((await downloadCutout(page)).size).toEqual([900, 300]);
});

test('the subject is moved, scaled and turned by keys and by hand, and keeps its place after a reload', async () => {
  const page = await openCanvas();
  await page.getByRole('radio', { name: 'Place', exact: true }).check();
  const area = page.getByRole('application', { name: 'Place of the subject' });
  await area.focus();
  for (const key of ['Shift+ArrowLeft', 'Shift+ArrowLeft', '+', ']']) await page.keyboard.press(key);
  const frame = area.locator('div').first();
  const before = await frame.boundingBox();
  if (!before) throw new Error('no frame');
  const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => (await frame.boundingBox())?.x ?? 0).toBeCloseTo(before.x + 30, 0);
  await reloadStored(page);
  await page.getByRole('radio', { name: 'Place', exact: true }).check();
  await expect.poll(async () => (await frame.boundingBox())?.x ?? 0).toBeCloseTo(before.x + 30, 0);
});

test('on a phone what was placed by a finger is undone next to the image', async () => {
  const { page } = await cutOut(visit, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.getByRole('radio', { name: 'Place', exact: true }).check();
  const frame = page.locator('[data-frame]');
  const before = await frame.boundingBox();
  if (!before) throw new Error('no frame');
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  expect(await undo.isDisabled()).toBe(true);
  const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 20, y, { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => (await frame.boundingBox())?.x ?? 0).toBeCloseTo(before.x + 20, 0);
  expect(await listAccessibilityViolations(page)).toEqual([]);
  await undo.click();
  await expect.poll(async () => (await frame.boundingBox())?.x ?? 0).toBeCloseTo(before.x, 0);
});

test('a background image is moved by hand and by sliders, as in the file, and back again', async () => {
  const visited = await cutOut(visit);
  const { page } = visited;
  await page.locator('input[data-use=background]').setInputFiles({
    name: 'flag.png',
    mimeType: 'image/png',
    buffer: await createFlag(),
  });
  const across = page.getByRole('slider', { name: 'Left to right' });
  await across.fill('0');
  const left = await downloadCutout(page);
  expect(left.at(475, 5)).toEqual([0, 160, 0, 255]);
  await page.getByRole('radio', { name: 'Place', exact: true }).check();
  const area = await page.getByRole('application', { name: 'Place of the subject' }).boundingBox();
  const frame = await page.locator('[data-frame]').boundingBox();
  if (!area || !frame) throw new Error('nothing can be placed');
  // Above the subject. One drag is not long enough.
  const y = (area.y + frame.y) / 2;
  for (const _ of DRAGS) {
    await page.mouse.move(area.x + area.width - 20, y);
    await page.mouse.down();
    await page.mouse.move(area.x + 20, y, { steps: 4 });
    await page.mouse.up();
  }
  await expect.poll(() => across.inputValue()).toBe('1');
  expect(await listAccessibilityViolations(page)).toEqual([]);
  const right = await downloadCutout(page);
  expect(right.at(5, 5)).toEqual([0, 0, 200, 255]);
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  for (const _ of DRAGS) await undo.click();
  await expect.poll(() => across.inputValue()).toBe('0');
  // To no image at all, and to the same image again.
  while (await undo.isEnabled()) await undo.click();
  await across.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await across.waitFor();
  await page.getByRole('radio', { name: 'Result', exact: true }).check();
  expect(visited.complaints).toEqual([]);
});

const DRAGS = [1, 2, 3];

/** Image of which a cutout shows a third: its left half is green, its right half blue. */
async function createFlag(): Promise<Buffer> {
  const [width, height] = [1440, 320];
  const half = { width: width / 2, height, channels: 3 } as const;
  const right = await sharp({ create: { ...half, background: '#0000c8' } })
    .png()
    .toBuffer();
  return sharp({ create: { ...half, width, background: '#00a000' } })
    .composite([{ input: right, left: width / 2, top: 0 }])
    .png()
    .toBuffer();
}
