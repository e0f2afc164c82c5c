import sharp from 'sharp';
import { describe, expect, it, test } from 'vitest';
import { computeExtent } from '../../../../models/operations/extend/geometry.ts';
import { previewFill } from '../../../../models/operations/extend/preview-fill.ts';
import { assertResultSize } from '../../../../models/operations/extend/schema.ts';
import { createNodeRuntime } from '../../../../server/runtime/node-runtime.ts';

const NONE = { expand_left: 0, expand_right: 0, expand_top: 0, expand_bottom: 0 };
const SIZE = { width: 200, height: 100 };

describe('extentOf', () => {
  it.each([
    [
      'scales to 20 % by default',
      NONE,
      { width: 200, height: 100, kept: { left: 80, top: 40, width: 40, height: 20 } },
    ],
    [
      'scales in the middle',
      { ...NONE, zoom_out_percentage: 50 },
      { width: 200, height: 100, kept: { left: 50, top: 25, width: 100, height: 50 } },
    ],
    [
      'does not scale when a margin is given alone',
      { ...NONE, expand_left: 30 },
      { width: 230, height: 100, kept: { left: 30, top: 0, width: 200, height: 100 } },
    ],
    [
      'adds margins around the scaled image',
      { expand_left: 10, expand_right: 20, expand_top: 30, expand_bottom: 40, zoom_out_percentage: 50 },
      { width: 230, height: 170, kept: { left: 60, top: 55, width: 100, height: 50 } },
    ],
    [
      'takes 100 as no zoom',
      { ...NONE, expand_top: 5, zoom_out_percentage: 100 },
      { width: 200, height: 105, kept: { left: 0, top: 5, width: 200, height: 100 } },
    ],
    [
      'leaves at least one pixel of each side',
      { ...NONE, zoom_out_percentage: 0.25 },
      { width: 200, height: 100, kept: { left: 99, top: 49, width: 1, height: 1 } },
    ],
    [
      'adds what a shape needs, and does not scale',
      { ...NONE, aspect_ratio: '1:1' as const },
      { width: 200, height: 200, kept: { left: 0, top: 50, width: 200, height: 100 } },
    ],
  ])('%s', (_name, params, expected) => {
    expect(computeExtent(SIZE, params)).toEqual(expected);
  });

  it('refuses a shape that the image has, and one together with a margin', () => {
    const square = { width: 90, height: 90 };
    expect(() => computeExtent(square, { ...NONE, aspect_ratio: '1:1' })).toThrow(
      /^aspect_ratio: the image has the shape 1:1 already/,
    );
    expect(() => computeExtent(SIZE, { ...NONE, expand_top: 1, aspect_ratio: '1:1' })).toThrow(
      /^aspect_ratio: goes with no margin/,
    );
  });

  it.each([0, 100, 250])(
    'refuses a zoom of %d alone, since nothing would be added',
    (zoom_out_percentage) => {
      expect(() => computeExtent(SIZE, { ...NONE, zoom_out_percentage })).toThrow(
        /^zoom_out_percentage: .*add nothing/,
      );
    },
  );
});

it('refuses a zoom that leaves no pixel of the image, and names the least that does', () => {
  const zoomed = (zoom_out_percentage: number) => computeExtent(SIZE, { ...NONE, zoom_out_percentage });
  expect(() => zoomed(0.249)).toThrow(/^zoom_out_percentage: would leave no pixel .* at least 0\.25,/);
  expect(() => zoomed(1e-4)).toThrow(/at least 0\.25,/);
  expect(zoomed(0.25).kept).toMatchObject({ width: 1, height: 1 });
});

describe('checkSize', () => {
  it('refuses more pixels or longer sides than a format holds', () => {
    expect(() => assertResultSize({ width: 100_000, height: 1501 }, 'png')).toThrow(/At most 150 megapixels/);
    expect(() => assertResultSize({ width: 16_384, height: 10 }, 'webp')).toThrow(
      /^output_format: webp holds at most 16383/,
    );
    expect(() => assertResultSize({ width: 65_501, height: 10 }, 'jpg')).toThrow(/^output_format: jpg/);
    expect(() => assertResultSize({ width: 65_501, height: 10 }, 'png')).not.toThrow();
  });
});

const runtime = createNodeRuntime({ signal: new AbortController().signal });
const margins = { expand_left: 0, expand_right: 0, expand_top: 0, expand_bottom: 0 };

async function picture(width: number, height: number): Promise<Blob> {
  const png = await sharp({ create: { width, height, channels: 3, background: '#3060a0' } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(png)]);
}

test('a preview is small, has the shape of the whole canvas, and continues the image', async () => {
  const { blob, quality, weakness } = await previewFill(
    await picture(1200, 900),
    { ...margins, expand_right: 300 },
    runtime,
  );
  const { data, info } = await sharp(await blob.arrayBuffer())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info.width * info.height).toBeLessThan(95_000);
  expect(info.width / info.height).toBeCloseTo(1500 / 900, 1);
  const last = data.subarray(data.length - 3);
  [0x30, 0x60, 0xa0].forEach((value, channel) => {
    expect(Math.abs((last[channel] as number) - value)).toBeLessThan(4);
  });
  expect({ quality, weakness }).toEqual({ quality: expect.closeTo(0.76, 1), weakness: 'margin' });
});

test('nothing to add is a bad request, as in a run', async () => {
  await expect(
    previewFill(await picture(40, 30), { ...margins, zoom_out_percentage: 100 }, runtime),
  ).rejects.toMatchObject({ code: 'bad_request' });
});
