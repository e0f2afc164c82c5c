// @module-tag long

import { expect, test } from 'vitest';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import {
  BALL,
  brushIsDone,
  createBallPicture,
  cutOut,
  decodePixels,
  downloadCutout,
  MIDDLE,
  paintStroke,
  SKY,
} from '../support/cutouts.ts';
import { connectBrowser, expectNoLogsOrUploads, type Visit } from '../support/visit.ts';

const visit = connectBrowser();

/** Runs in the page: records whether a file runs from now on. */
function noteRuns(): void {
  new MutationObserver(() => {
    if (document.querySelector('[data-phase=running]')) Object.assign(globalThis, { hasRun: true });
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}

const shared = visit.share(() => cutOut(visit, { permissions: ['clipboard-read', 'clipboard-write'] }));

/** Returns the shared cutout with the settings of a new one. */
async function untouched(): Promise<Visit> {
  const visited = await shared();
  for (const name of ['Result', 'Transparent', 'PNG']) {
    await visited.page.getByRole('radio', { name, exact: true }).check();
  }
  return visited;
}

test('another background is applied at once, without another run, also in the file', async () => {
  const { page } = await untouched();
  await page.evaluate(noteRuns);
  await page.getByRole('radio', { name: 'Rose' }).check();
  const ground = page.locator('[data-transparent=false]').first();
  await ground.waitFor();
  expect(await ground.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
    'rgb(232, 180, 184)',
  );
  const { at } = await downloadCutout(page);
  expect(await page.evaluate(() => 'hasRun' in globalThis)).toBe(false);
  expect(at(...SKY)).toEqual([232, 180, 184, 255]);
  expect(at(...MIDDLE)[0]).toBeGreaterThan(150);
});

test('gradients, an image of the visitor and the blurred original can be the background', async () => {
  const { page } = await untouched();
  await page.getByRole('radio', { name: 'Dusk' }).check();
  const dusk = await downloadCutout(page);
  expect(dusk.at(...SKY)[2]).toBeGreaterThan(60);
  expect(dusk.at(...SKY)[3]).toBe(255);
  await page.locator('input[data-use=background]').setInputFiles(await createBallPicture('behind.jpg'));
  await page.getByRole('button', { name: 'Another image' }).waitFor();
  const own = await downloadCutout(page);
  const sky = own.at(...SKY);
  expect(sky[2]).toBeGreaterThan(sky[0] ?? 255);
  expect(sky[3]).toBe(255);
  await page.getByRole('button', { name: 'Blurred' }).click();
  const blurred = await downloadCutout(page);
  expect(blurred.at(...SKY)[3]).toBe(255);
  // The background has no red of the ball: the grass is green right up to it.
  const nearby = blurred.at(BALL.x + BALL.radius + 12, 230);
  expect(nearby[1]).toBeGreaterThan(nearby[0] ?? 255);
});

test.each([
  ['WebP', 'webp', 0],
  ['JPG', 'jpeg', 255],
])('%s is written, with transparency where the format has it', async (label, format, alpha) => {
  const { page } = await untouched();
  await page.getByRole('radio', { name: label, exact: true }).check();
  const file = await downloadCutout(page);
  expect([file.format, file.at(...SKY)[3]]).toEqual([format, alpha]);
});

test('a result is copied as PNG', async () => {
  const { page } = await untouched();
  await page.getByRole('radio', { name: 'White' }).check();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  const base64 = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const blob = await item?.getType('image/png');
    const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
    return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));
  });
  const copied = await decodePixels(Buffer.from(base64, 'base64'));
  expect([copied.size, copied.at(...SKY)]).toEqual([
    [BALL.width, BALL.height],
    [255, 255, 255, 255],
  ]);
});

test('an invalid background image is rejected when it is chosen', async () => {
  const { page } = await untouched();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  await page
    .locator('input[data-use=background]')
    .setInputFiles({ name: 'behind.svg', mimeType: 'image/svg+xml', buffer: svg });
  await page.getByRole('alert').getByText('Darkroom does not know this kind of file.').waitFor();
});

test.each(['dark', 'light'] as const)(
  'results, edges and the brush pass axe in the %s theme',
  async (colorScheme) => {
    const { page } = await untouched();
    await page.emulateMedia({ colorScheme });
    for (const view of ['Result', 'Compare', 'Edges', 'Brush']) {
      await page.getByRole('radio', { name: view }).check();
      expect(await listAccessibilityViolations(page)).toEqual([]);
    }
  },
);

test('a stroke of the brush erases the object under it, up to its edges, until it is undone', async () => {
  const visited = await untouched();
  const { page } = visited;
  await page.getByRole('radio', { name: 'Brush' }).check();
  await page.getByRole('radio', { name: 'Erase' }).check();
  await paintStroke(page, [0.38, 0.45], [0.5, 0.53], [0.62, 0.62], [0.42, 0.66]);
  await brushIsDone(page);
  const erased = await downloadCutout(page);
  expect(erased.at(...MIDDLE)[3]).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  const restored = await downloadCutout(page);
  expect(restored.at(...MIDDLE)[3]).toBe(255);
  await page.getByRole('button', { name: 'Redo' }).click();
  await brushIsDone(page);
  expect((await downloadCutout(page)).at(...MIDDLE)[3]).toBe(0);
  expectNoLogsOrUploads(visited);
});
