import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Raster8 } from '../../../../models/core/runtime/raster.ts';
import { measureFrame } from '../../../../models/operations/extend/frame.ts';
import { sharedData } from '../../../support/media/shared-data.ts';

const KODAK = sharedData('data/superres/kodak');
const NONE = { left: 0, right: 0, top: 0, bottom: 0 };

async function getRaster(image: Sharp): Promise<Raster8> {
  const { data, info } = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

const photograph = () => sharp('public/samples/lemur.jpg').resize(160);
/** Draws a line of a colour and a width around the photograph. */
const framed = async (background: string, width: number) =>
  getRaster(
    sharp(
      await photograph()
        .extend({ left: width, right: width, top: width, bottom: width, background })
        .png()
        .toBuffer(),
    ),
  );

describe('measureFrame', () => {
  test.each([
    ['#000000', 1],
    ['#636363', 2],
    ['#0a0a0a', 4],
  ])('finds lines of %s, %i pixels wide, and two mixed ones', async (background, width) => {
    const expected = { left: width + 2, right: width + 2, top: width + 2, bottom: width + 2 };
    expect(measureFrame(await framed(background, width))).toEqual(expected);
  });

  test('finds a black line before a gray one before an even content', () => {
    const raster = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 4).fill(255) };
    for (let x = 0; x < 64; x++) {
      raster.data.set([0, 0, 0], x * 4);
      raster.data.set([99, 99, 99], (64 + x) * 4);
    }
    expect(measureFrame(raster)).toEqual({ ...NONE, top: 4 });
  });

  test.each([
    ['a wider line', '#000000', 5],
    ['a coloured line', '#c03020', 2],
  ])('takes %s for content', async (_, background, width) => {
    expect(measureFrame(await framed(background, width))).toEqual(NONE);
  });

  test('finds none around a photograph, an even image and a small one', async () => {
    expect(measureFrame(await getRaster(photograph()))).toEqual(NONE);
    const even = sharp({ create: { width: 90, height: 70, channels: 3, background: '#777777' } });
    expect(measureFrame(await getRaster(even))).toEqual(NONE);
    const small = sharp({ create: { width: 8, height: 6, channels: 3, background: '#000000' } });
    expect(measureFrame(await getRaster(small))).toEqual(NONE);
  });
});

test.each([
  ['black', '#000000'],
  ['white', '#ffffff'],
])('finds a %s line that was mixed into a picture when it was made smaller', async (_, background) => {
  const large = sharp('public/samples/lemur.jpg').resize(640, 480, { fit: 'fill' });
  // Half of the picture is as dark as the one frame, and as light as the other: it tells nothing there.
  const half = await sharp({ create: { width: 640, height: 250, channels: 3, background } })
    .png()
    .toBuffer();
  const whole = await sharp(await large.png().toBuffer())
    .composite([{ input: half, left: 0, top: 0 }])
    .extend({ left: 3, background })
    .png()
    .toBuffer();
  const small = sharp(whole).resize(160, 120, { fit: 'fill', kernel: 'linear' });
  expect(measureFrame(await getRaster(small))).toEqual({ ...NONE, left: 3 });
});

/** Warm waves with lines of a colour around them. */
function warmWaves(lines: number, colour: readonly [number, number, number]): Raster8 {
  const [width, height] = [96, 80];
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const isFrame = Math.min(x, y, width - 1 - x, height - 1 - y) < lines;
    const level = 200 + 40 * Math.sin(x / 3) * Math.cos(y / 3);
    data.set([...(isFrame ? colour : [level, level - 90, level - 130]), 255], at * 4);
  }
  return { width, height, data };
}

test('a frame in a tint of the content is one of a scan, and one of another colour is content', () => {
  expect(measureFrame(warmWaves(2, [40, 15, 0]))).toEqual({ left: 4, right: 4, top: 4, bottom: 4 });
  expect(measureFrame(warmWaves(3, [40, 60, 110]))).toEqual(NONE);
});

test('a frame is found before a content that is nearly even', () => {
  const [width, height] = [96, 80];
  const raster = { width, height, data: new Uint8Array(width * height * 4).fill(255) };
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    // From gray to light without a jump, and there with waves that deviate by 6.
    const level = y < 2 ? 90 : Math.min(180, 90 + 20 * (y - 1)) + 8.5 * Math.sin(x / 2);
    raster.data.fill(level, at * 4, at * 4 + 3);
  }
  expect(measureFrame(raster)).toEqual({ ...NONE, top: 4 });
});

// The twin is the made frames above.
test.skipIf(KODAK.isMissing)(
  KODAK.titled('scans by Kodak have a frame on each side'),
  { tags: ['long'] },
  async () => {
    for (const name of (await readdir(KODAK.path)).filter((each) => each.endsWith('.png'))) {
      const widths = Object.values(measureFrame(await getRaster(sharp(join(KODAK.path, name)))));
      for (const width of widths) expect(width).toBeGreaterThan(2);
      for (const width of widths) expect(width).toBeLessThanOrEqual(6);
    }
  },
);
