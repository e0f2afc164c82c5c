import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../models/core/runtime/raster.ts';
import { getImageFormat } from '../../../models/media/image/find-format.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import { TARGET_FORMATS } from '../../../models/operations/convert/schema.ts';
import { createImageCodec } from '../../../server/runtime/image-codec/index.ts';
import { BALL, createRotatedBallPicture } from '../support/cutouts.ts';
import { createTestPicture } from '../support/pictures.ts';
import {
  chooseFiles,
  connectBrowser,
  convertFile,
  downloadOnClick,
  expectNoLogsOrUploads,
} from '../support/visit.ts';

const visit = connectBrowser();

/** Label on the page, file type, and the allowed mean error of a sample. */
const TARGETS: readonly [label: string, format: ImageFormat, extension: string, meanErrorMax: number][] = [
  ['JPG', 'jpeg', 'jpg', 3],
  ['PNG', 'png', 'png', 0.01],
  ['WebP', 'webp', 'webp', 3],
  ['AVIF', 'avif', 'avif', 3],
  ['HEIC', 'heic', 'heic', 3],
  ['TIFF', 'tiff', 'tiff', 0.01],
  ['GIF', 'gif', 'gif', 12],
  ['BMP', 'bmp', 'bmp', 0.01],
];

describe('a photo', { tags: ['long'] }, () => {
  const shared = visit.share(() => visit('/convert'));

  test.each(TARGETS)(
    'becomes a valid %s file on this device',
    async (label, format, extension, meanErrorMax) => {
      const picture = await createTestPicture();
      const visited = await shared();
      const former = visited.page.getByRole('button', { name: `Remove ${picture.name}`, exact: true });
      if ((await former.count()) > 0) await former.click();
      const [name, bytes] = await convertFile(visited.page, label, picture);

      expect(name).toBe(`holiday.${extension}`);
      expect(getImageFormat(bytes)).toBe(format);
      const [before, after] = [await getSamples(picture.buffer), await getSamples(bytes)];
      expect([after.width, after.height]).toEqual([before.width, before.height]);
      expect(meanError(before, after)).toBeLessThan(meanErrorMax);
      expectNoLogsOrUploads(visited);
    },
  );
});

test.each(['jpeg', 'webp'] as const)(
  'a %s rotated by EXIF is shown upright',
  { tags: ['long'] },
  async (format) => {
    const { page } = await visit('/convert');
    const picture = await createRotatedBallPicture(format);
    await chooseFiles(page, [picture]);
    await page.getByText(`${format.toUpperCase()} · ${BALL.height} × ${BALL.width}`).waitFor();
    const shown = page.getByRole('img', { name: picture.name, exact: true });
    const size = await shown.evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    });
    expect(size).toEqual([BALL.height, BALL.width]);
  },
);

test('an image is rotated and made half as large, with the encoder options of its format', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/convert');
  const picture = await createTestPicture();
  await page.getByRole('radio', { name: 'JPG', exact: true }).check();
  await page.locator('summary', { hasText: 'Crop, rotate and resize' }).click();
  await page.getByRole('button', { name: 'Turn right' }).click();
  const before = await sharp(picture.buffer).metadata();
  const half = { width: (before.height ?? 0) / 2, height: (before.width ?? 0) / 2 };
  await page.getByRole('spinbutton', { name: 'Width' }).fill(String(half.width));
  await page.keyboard.press('Tab');
  await page.locator('summary', { hasText: 'Encoder options' }).click();
  await page.getByRole('radio', { name: '4:4:4' }).check();
  const [, bytes] = await convertFile(page, 'JPG', picture);
  const after = await sharp(bytes).metadata();
  expect([after.width, after.height]).toEqual([half.width, half.height]);
  expect(after.chromaSubsampling).toBe('4:4:4');
  // Next to the result the original is turned as well, in its own size.
  const original = page.getByRole('img', { name: /, original$/ });
  const shownSize = () =>
    original.evaluate((image) => [
      (image as HTMLImageElement).naturalWidth,
      (image as HTMLImageElement).naturalHeight,
    ]);
  await expect.poll(shownSize).toEqual([before.height, before.width]);

  // The server resizes alike, and has no colour detail.
  await page.getByRole('radio', { name: 'Our server' }).check();
  await page.getByRole('radio', { name: '4:4:4' }).waitFor({ state: 'detached' });
  await page.getByRole('spinbutton', { name: 'Width' }).waitFor();
  await page.getByRole('spinbutton', { name: 'Largest file' }).waitFor();
  // BMP has no options.
  await page.getByRole('radio', { name: 'BMP', exact: true }).check();
  await page.locator('summary', { hasText: 'Encoder options' }).waitFor({ state: 'detached' });
});

test('an image is cropped on the stage by keys, in a shape, and named by a pattern', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [await createTestPicture()]);
  await page.locator('summary', { hasText: 'Crop, rotate and resize' }).click();
  await page.getByRole('button', { name: 'Crop on the image' }).click();
  await page.getByRole('button', { name: '1:1', exact: true }).click();
  const crop = page.getByRole('application', { name: /^Crop of/ });
  await crop.press('ArrowRight');
  await crop.press('Shift+ArrowLeft');
  const label = (await crop.getAttribute('aria-label')) ?? '';
  const [, width = '', height = ''] = /^Crop of (\d+) × (\d+) pixels/.exec(label) ?? [];
  expect(width).toBe(height);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.locator('summary', { hasText: 'Name and print size' }).click();
  await page.getByRole('textbox', { name: 'File name' }).fill('{name}-{width}');
  await page.getByRole('radio', { name: 'PNG', exact: true }).check();
  const [name, bytes] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  );
  expect(name).toMatch(new RegExp(`-${width}\\.png$`));
  const { width: made } = await sharp(bytes).metadata();
  expect(made).toBe(Number(width));
});

test('a share of the size and a crop are taken of each image, whichever is shown', async () => {
  const { page } = await visit('/convert');
  const draw = async (width: number, height: number) => ({
    name: `${width}.png`,
    mimeType: 'image/png',
    buffer: await sharp({ create: { width, height, channels: 3, background: '#369' } })
      .png()
      .toBuffer(),
  });
  await chooseFiles(page, [await draw(400, 200), await draw(90, 60)]);
  await page.locator('summary', { hasText: 'Crop, rotate and resize' }).click();
  await page.getByRole('button', { name: '50 %', exact: true }).click();
  await page.getByRole('button', { name: /^Convert \d/ }).click();
  const sizeOf = async (name: string, size: string) => {
    await page.getByRole('button', { name: `Show ${name}`, exact: true }).click();
    await page.getByText(`JPEG · ${size}`, { exact: true }).waitFor();
  };
  await sizeOf('90.png', '45 × 30');
  await sizeOf('400.png', '200 × 100');
  await page.getByRole('button', { name: 'Crop on the image' }).click();
  await page.getByRole('button', { name: '1:1', exact: true }).click();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await sizeOf('90.png', '30 × 30');
  await sizeOf('400.png', '100 × 100');
});

test('a result is copied as PNG', { tags: ['long'] }, async () => {
  const { page } = await visit('/convert', { permissions: ['clipboard-read', 'clipboard-write'] });
  await chooseFiles(page, [await createTestPicture()]);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  const signature = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    return (await item?.getType('image/png'))?.slice(1, 4).text();
  });
  expect(signature).toBe('PNG');
});

test('a browser that copies no images is offered no copy', { tags: ['long'] }, async () => {
  const prepare = (page: Page) =>
    page.addInitScript(() => Reflect.deleteProperty(globalThis, 'ClipboardItem'));
  const { page } = await visit('/convert', { prepare });
  await chooseFiles(page, [await createTestPicture()]);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('main').getByText('Use in', { exact: true }).click();
  await page.getByRole('button', { name: 'Use in Remove backgrounds' }).waitFor();
  expect(await page.getByRole('button', { name: 'Copy', exact: true }).count()).toBe(0);
});

test('every format of the API is offered, and jpg, which has two names, once', async () => {
  const { page } = await visit('/convert');
  const offered = await page
    .getByRole('group', { name: 'Format' })
    .getByRole('radio')
    .evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value));
  expect([...offered, 'jpeg'].sort()).toEqual([...TARGET_FORMATS].sort());
  expect(TARGETS).toHaveLength(offered.length);
});

/** Reads samples with the server's decoders, which differ from the browser's. */
async function getSamples(bytes: Buffer): Promise<Frame> {
  const { signal } = new AbortController();
  const blob = new Blob([new Uint8Array(bytes)]);
  const picture = await createImageCodec().decode(blob, { frames: 'first', colour: 'srgb', signal });
  for await (const frame of picture.frames()) return frame;
  throw new Error('no frame');
}

function meanError(one: Frame, other: Frame): number {
  let sum = 0;
  for (let at = 0; at < one.data.length; at++) sum += Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0));
  return sum / one.data.length;
}

/** Runs in the page: lets each stored run have taken 9 s. */
function slowStoredRuns(): void {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith('darkroom-run-times-media-convert-image/')) continue;
    const times = JSON.parse(localStorage.getItem(name) ?? '');
    localStorage.setItem(name, JSON.stringify({ ...times, logSeconds: times.runs * Math.log(9) }));
  }
}

test('the time is estimated before a run: by that of a named machine, then by runs on this device', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/convert');
  await page.getByRole('radio', { name: 'AVIF', exact: true }).check();
  await chooseFiles(page, [await createTestPicture()]);
  await page.getByText('about 1 s', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await page.evaluate(slowStoredRuns);
  await chooseFiles(page, [await createTestPicture('second.jpg')]);
  await page.getByText('about 9 s', { exact: true }).waitFor();
});

test('a HEIC says how far its opening is, and then shows on its tile', { tags: ['long'] }, async () => {
  const { page } = await visit('/upscale');
  const buffer = await readFile('tests/fixtures/images/fading.heic');
  await chooseFiles(page, [{ name: 'fading.heic', mimeType: 'image/heic', buffer }]);
  const tile = page.getByRole('button', { name: 'Show fading.heic' });
  await expect.poll(() => tile.locator('canvas').isVisible()).toBe(true);
  expect(await tile.getByText('heic').count()).toBe(0);
});
