import { describe, expect, it } from 'vitest';
import { computeExtent } from '../../../../models/operations/extend/geometry.ts';
import { assertResultSize } from '../../../../models/operations/extend/schema.ts';

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
  ])('%s', (_name, params, expected) => {
    expect(computeExtent(SIZE, params)).toEqual(expected);
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
