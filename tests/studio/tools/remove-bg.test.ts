import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Locator } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  BALL,
  brushIsDone,
  createBallPicture,
  createRotatedBallPicture,
  createSkyPicture,
  cutOut,
  decodePixels,
  downloadCutout,
  MIDDLE,
  SKY,
} from '../support/cutouts.ts';
import { servePagesWithDevice } from '../support/fake-device.ts';
import { chooseFilesByKeyboard, tabTo } from '../support/keyboard.ts';
import { openNotes } from '../support/stage.ts';
import { refuseSharperModels } from '../support/stored-weights.ts';
import { chooseFiles, connectBrowser, downloadOnClick, expectNoLogsOrUploads } from '../support/visit.ts';
import { listZipEntries } from '../support/zip.ts';

const visit = connectBrowser();

let withGpu: string;
let withoutGpu: string;
beforeAll(async () => {
  withGpu = await servePagesWithDevice({ memoryGb: 8, hasGpu: true });
  withoutGpu = await servePagesWithDevice({ memoryGb: 4, hasGpu: false });
});

test('an image is cut out as soon as it is added, at its own size, and nothing leaves the device', async () => {
  const visited = await cutOut(visit);
  const { name, size, format, at } = await downloadCutout(visited.page);
  expect([name, format, size]).toEqual(['ball-cutout.png', 'png', [BALL.width, BALL.height]]);
  expect(at(...MIDDLE)[3]).toBe(255);
  expect(at(...SKY)).toEqual([0, 0, 0, 0]);
  await openNotes(visited.page);
  await visited.page.getByText('Darkroom 5.3 MB').waitFor();
  expectNoLogsOrUploads(visited);
});

test('the subject is shown with coarse edges while its cutout is still being made', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/remove-bg');
  await page.evaluate(() => {
    const found: { alphas: number[]; hasResult: boolean }[] = [];
    Object.assign(window, { found });
    const look = new MutationObserver(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[aria-label$="draft cutout"]');
      if (!canvas) return;
      look.disconnect();
      const hasResult = document.querySelector('canvas[aria-label$="result"]') !== null;
      // It is drawn by an effect, after it is there.
      requestAnimationFrame(() =>
        setTimeout(() => {
          const { width, height } = canvas;
          const alphaAt = (x: number, y: number) =>
            canvas.getContext('2d')?.getImageData(x, y, 1, 1).data[3] ?? -1;
          found.push({ alphas: [alphaAt(width / 2, height / 2), alphaAt(20, 20)], hasResult });
        }),
      );
    });
    look.observe(document.body, { childList: true, subtree: true });
  });
  await chooseFiles(page, [await createBallPicture()]);
  await page.getByRole('radio', { name: 'Compare' }).waitFor();
  const [draft] = await page.evaluate(
    () => (window as unknown as { found: { alphas: [number, number]; hasResult: boolean }[] }).found,
  );
  expect(draft).toMatchObject({ hasResult: false });
  expect(draft?.alphas[0]).toBeGreaterThan(200);
  expect(draft?.alphas[1]).toBeLessThan(30);
});

/** Describes a canvas: its own size, its size on the screen, and its pixels at shares of its sides. */
async function shownOn(canvas: Locator): Promise<{
  readonly size: readonly [width: number, height: number];
  readonly aspect: number;
  at(x: number, y: number): Promise<readonly number[]>;
}> {
  const box = await canvas.boundingBox();
  const size = await canvas.evaluate(
    ({ width, height }: HTMLCanvasElement) => [width, height] as [number, number],
  );
  return {
    size,
    aspect: box ? box.width / box.height : 0,
    at: (x, y) =>
      canvas.evaluate(
        (element: HTMLCanvasElement, place) => {
          const context = element.getContext('2d');
          return Array.from(context?.getImageData(...place, 1, 1).data ?? []);
        },
        [Math.floor(x * size[0]), Math.floor(y * size[1])] as [number, number],
      ),
  };
}

test.each(['jpeg', 'webp'] as const)(
  'a %s rotated by EXIF is shown upright',
  { tags: ['long'] },
  async (format) => {
    const { page } = await visit('/remove-bg');
    const picture = await createRotatedBallPicture(format);
    await chooseFiles(page, [picture]);
    await page.getByRole('radio', { name: 'Compare' }).waitFor();
    const canvas = (name: string) => page.getByRole('img', { name: `${picture.name}, ${name}` });
    const upright = [BALL.height, BALL.width];
    const middle = [1 - BALL.y / BALL.height, BALL.x / BALL.width] as const;

    const result = await shownOn(canvas('result'));
    expect(result.size).toEqual(upright);
    expect(result.aspect).toBeCloseTo(BALL.height / BALL.width, 2);
    expect((await result.at(...middle))[3]).toBe(255);

    await page.getByRole('radio', { name: 'Compare' }).check();
    await canvas('original').waitFor();
    for (const name of ['original', 'result']) {
      const { size, aspect } = await shownOn(canvas(name));
      expect([name, size]).toEqual([name, upright]);
      expect(aspect).toBeCloseTo(BALL.height / BALL.width, 2);
    }
    // The sky, above the ball in the stored image, is to its right.
    const original = await shownOn(canvas('original'));
    const [right, left] = [await original.at(0.95, 0.5), await original.at(0.05, 0.5)];
    expect(right[2]).toBeGreaterThan(right[0] ?? 255);
    expect(left[1]).toBeGreaterThan(left[2] ?? 255);
  },
);

test('eight images are downloaded in one zip, all with the same background', { tags: ['long'] }, async () => {
  const visited = await visit('/remove-bg');
  const { page } = visited;
  const files = await Promise.all(
    Array.from({ length: 8 }, (_, index) => createBallPicture(`ball-${index}.jpg`)),
  );
  await chooseFiles(page, files);
  await page.getByRole('button', { name: 'Download all 8 as zip' }).waitFor();
  await page.getByRole('radio', { name: 'White' }).check();
  // The tiles show the files as they are saved.
  const tiles = page.getByRole('button', { name: /^Show ball-/ });
  const grounds = () => tiles.evaluateAll((all) => all.map((tile) => getComputedStyle(tile).backgroundColor));
  await expect.poll(grounds).toEqual(files.map(() => 'rgb(255, 255, 255)'));
  const [name, bytes] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download all 8 as zip' }).click(),
  );
  expect(name).toBe('darkroom-remove-bg.zip');
  expect(listZipEntries(bytes)).toEqual(files.map((file) => file.name.replace('.jpg', '-cutout.png')));
  expectNoLogsOrUploads(visited);
});

test('an image can be cut out, erased with the brush and downloaded by keyboard alone', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/remove-bg');
  await chooseFilesByKeyboard(page, 'Choose images or videos', [await createBallPicture()]);
  await page.getByRole('radio', { name: 'Compare' }).waitFor();
  await tabTo(page, 'Result');
  const brush = page.getByRole('radio', { name: 'Brush' });
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowRight');
      return await brush.isChecked();
    })
    .toBe(true);
  await tabTo(page, 'Brush');
  await page.keyboard.press('e');
  await page.keyboard.press('Space');
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('ArrowRight');
  await page.getByText('Painting what to erase').waitFor();
  await page.keyboard.press('Space');
  await brushIsDone(page);
  await tabTo(page, 'Download');
  const [, bytes] = await downloadOnClick(page, () => page.keyboard.press('Enter'));
  expect((await decodePixels(bytes)).at(BALL.width / 2, BALL.height / 2)[3]).toBe(0);
});

test('an image without a subject gets a message and the offer of the brush and a larger model', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/remove-bg', { baseURL: withGpu });
  await refuseSharperModels(page);
  await chooseFiles(page, [await createSkyPicture()]);
  await page.getByText('No clear subject was found.').waitFor();
  await page.getByRole('button', { name: 'Try U²-Net small, 4.6 MB to download' }).waitFor();
  await page.getByRole('button', { name: 'Open the brush' }).click();
  const brush = page.getByRole('application', { name: 'Brush' });
  await expect.poll(() => brush.evaluate((sheet) => sheet === document.activeElement)).toBe(true);
});

test('a larger model that is unavailable leaves the result unchanged, and the page gives the reason', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/remove-bg', { baseURL: withoutGpu });
  await page.context().route('**/api/weights/**', (route) => route.fulfill({ status: 404, body: '' }));
  await refuseSharperModels(page);
  await chooseFiles(page, [await createSkyPicture(), await createBallPicture()]);
  await page.getByRole('status').getByText('2 done').waitFor();
  await page.getByRole('button', { name: /^Try U²-Net small/ }).click();
  await page
    .getByRole('alert')
    .getByText(/^U²-Net small could not be downloaded/)
    .waitFor();
  await page.getByRole('status').getByText('2 done').waitFor();
  await page.getByRole('radio', { name: 'Result' }).waitFor();
});

describe('a file of another kind', { tags: ['long'] }, () => {
  const shared = visit.share(() => visit('/remove-bg'));

  test.each([
    ['fading.heic', ''],
    ['fading.avif', 'image/avif'],
    ['pages.tiff', 'image/tiff'],
    ['animated.gif', 'image/gif'],
  ])('%s is read by the codecs of this device, as other images are', async (name, mimeType) => {
    const visited = await shared();
    const { page } = visited;
    const former = page.getByRole('button', { name: /^Remove [a-z]+\.[a-z]+$/ });
    if ((await former.count()) > 0) await former.click();
    const buffer = await readFile(resolve(import.meta.dirname, '../../fixtures/images', name));
    await chooseFiles(page, [{ name, mimeType, buffer }]);
    const { format } = await downloadCutout(page);
    expect(format).toBe('png');
    const lost = page.getByText('only the first is kept');
    if (/\.(gif|tiff)$/.test(name)) await lost.waitFor();
    else expect(await lost.count()).toBe(0);
    expectNoLogsOrUploads(visited);
  });
});
