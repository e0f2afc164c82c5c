import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import type { DeviceSettings } from '../../models/media/image/device-settings.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { imageFixture } from '../support/media/images.ts';

let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
});
afterAll(() => page?.stop());

async function converted(name: string, params: object, settings: DeviceSettings) {
  const outcome = await page.convert(await imageFixture(name), params, settings);
  expect(outcome).toMatchObject({ ok: true });
  return Buffer.from(outcome.bytes);
}

/** Mean of the red, green and blue of the corner pixels, from the upper left clockwise. */
async function corners(file: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
  ];
  const [right, bottom] = [info.width - 1, info.height - 1];
  return [at(0, 0), at(right, 0), at(right, bottom), at(0, bottom)];
}

describe('an image that is adjusted on the device', () => {
  test('is turned first and then resized, in every frame', async () => {
    const before = await sharp(
      Buffer.from(await (await imageFixture('interlaced.png')).arrayBuffer()),
    ).metadata();
    const file = await converted(
      'interlaced.png',
      { to_format: 'png' },
      {
        adjustments: {
          orientation: { quarterTurns: 1, isMirrored: false },
          resizing: { by: 'percent', percent: 50 },
        },
      },
    );
    const after = await sharp(file).metadata();
    expect([after.width, after.height]).toEqual([
      Math.round((before.height ?? 0) / 2),
      Math.round((before.width ?? 0) / 2),
    ]);
    const animation = await converted(
      'animated.gif',
      { to_format: 'webp' },
      { adjustments: { resizing: { by: 'pixels', width: 20, fit: 'inside' } } },
    );
    const frames = await sharp(animation, { animated: true }).metadata();
    const all = await sharp(Buffer.from(await (await imageFixture('animated.gif')).arrayBuffer()), {
      animated: true,
    }).metadata();
    expect([frames.width, frames.pages, frames.delay]).toEqual([20, all.pages, all.delay]);
  });

  test('a turn moves the corners clockwise', async () => {
    const turned = await converted(
      'interlaced.png',
      { to_format: 'png' },
      { adjustments: { orientation: { quarterTurns: 1, isMirrored: false } } },
    );
    const [a, b, c, d] = await corners(
      Buffer.from(await (await imageFixture('interlaced.png')).arrayBuffer()),
    );
    expect(await corners(turned)).toEqual([d, a, b, c]);
  });
});

describe('an encoder that is tuned on the device', () => {
  const figures = async (file: Buffer) => {
    const { chromaSubsampling, isProgressive, isPalette } = await sharp(file).metadata();
    return { chromaSubsampling, isProgressive, isPalette };
  };

  test.each([
    ['jpg', { chroma: '4:4:4' }, { chromaSubsampling: '4:4:4' }],
    ['jpg', { chroma: '4:2:0', isProgressive: true }, { chromaSubsampling: '4:2:0', isProgressive: true }],
    ['png', { colours: 16 }, { isPalette: true }],
  ] as const)('writes %s as %j', async (to_format, tuning, expected) => {
    const file = await converted('camera.jpg', { to_format }, { tuning });
    expect(await figures(file)).toMatchObject(expected);
  });

  test('writes WebP without loss', async () => {
    const tuning = { isLossless: true };
    const file = await converted('grey.png', { to_format: 'webp', quality: 40 }, { tuning });
    const raw = (bytes: Buffer) => sharp(bytes).removeAlpha().toColourspace('srgb').raw().toBuffer();
    const source = Buffer.from(await (await imageFixture('grey.png')).arrayBuffer());
    expect((await raw(file)).equals(await raw(source))).toBe(true);
  });

  test('ignores settings that the format does not have', async () => {
    const plain = await converted('camera.jpg', { to_format: 'jpg' }, {});
    const tuned = await converted(
      'camera.jpg',
      { to_format: 'jpg' },
      { tuning: { isLossless: true, colours: 4 } },
    );
    expect(tuned.equals(plain)).toBe(true);
  });
});
