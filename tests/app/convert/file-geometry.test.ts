import { describe, expect, test } from 'vitest';
import { cropOf, cropValue, geometryFor } from '../../../app/studio/convert/file-geometry.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { planGeometry } from '../../../models/operations/convert/geometry.ts';
import { paramsSchema } from '../../../models/operations/convert/schema.ts';

const WIDE = { width: 1000, height: 667 };
const SMALL = { width: 600, height: 399 };
const HIGH = { width: 480, height: 640 };

/** Returns the size that the operation gives an image with these params. */
function resultSize(size: ImageSize, params: object): ImageSize {
  const parsed = parseParams(paramsSchema, { to_format: 'png', ...params });
  return planGeometry({ ...size, frameCount: 1 }, parsed).size;
}

describe('a share of the size', () => {
  test.each([
    [WIDE, { width: 500, height: 334 }],
    [SMALL, { width: 300, height: 200 }],
    [HIGH, { width: 240, height: 320 }],
    [
      { width: 1, height: 1 },
      { width: 1, height: 1 },
    ],
  ])('is taken of each image: of %j', (size, expected) => {
    expect(resultSize(size, geometryFor({}, { share: 50 }, size))).toEqual(expected);
  });

  test('is one of what the crop leaves, after the turn', () => {
    const crop = cropValue({ left: 0, top: 0, width: 400, height: 200 }, WIDE, undefined);
    const params = geometryFor({ crop, rotate: 90 }, { share: 25 }, WIDE);
    expect(resultSize(WIDE, params)).toEqual({ width: 50, height: 100 });
  });

  test('leaves an image as it is whose size is unknown', () => {
    expect(geometryFor({ quality: 80 }, { share: 50 }, undefined)).toEqual({ quality: 80, crop: undefined });
  });
});

describe('a crop', () => {
  const free = cropValue({ left: 500, top: 0, width: 500, height: 667 }, WIDE, undefined);
  const square = cropValue({ left: 333, top: 0, width: 667, height: 667 }, WIDE, 1);

  test('keeps of the image on which it was drawn what was drawn', () => {
    expect(cropOf(free, WIDE)).toEqual({ left: 500, top: 0, width: 500, height: 667 });
    expect(geometryFor({ crop: free }, {}, WIDE).crop).toEqual({ x: 500, y: 0, width: 500, height: 667 });
  });

  test('keeps the same part of an image of another size', () => {
    expect(cropOf(free, SMALL)).toEqual({ left: 300, top: 0, width: 300, height: 399 });
    expect(cropOf(free, { width: 5000, height: 3335 })).toMatchObject({ left: 2500, width: 2500 });
  });

  test('keeps its shape on an image of another one, and stays in it', () => {
    expect(cropOf(square, HIGH)).toEqual({ left: 0, top: 80, width: 480, height: 480 });
    expect(cropOf(square, SMALL)).toEqual({ left: 200, top: 0, width: 399, height: 399 });
  });

  test('is for the operation of a kind that it takes, whether the size is known or not', () => {
    for (const size of [WIDE, SMALL, undefined]) {
      expect(() => resultSize(size ?? WIDE, geometryFor({ crop: square }, {}, size))).not.toThrow();
    }
  });

  test('is none without one', () => {
    expect(cropOf(undefined, WIDE)).toBeUndefined();
  });
});
