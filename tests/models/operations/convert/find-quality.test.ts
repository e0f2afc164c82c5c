import { describe, expect, test } from 'vitest';
import { ENCODINGS_MAX, findQuality } from '../../../../models/operations/convert/find-quality.ts';

/** Encoders with other relations between quality and size. */
const ENCODERS = {
  exponential: (quality: number) => 2000 * 2 ** (quality / 14),
  linear: (quality: number) => 3000 + 1000 * quality,
  'steep at the end': (quality: number) => 5000 + 20 * quality + (quality > 85 ? 9000 * (quality - 85) : 0),
  'in steps': (quality: number) => 4000 * Math.ceil(quality / 7),
};

describe.each(Object.entries(ENCODERS))('with an encoder that is %s', (_, sizeAt) => {
  test.each([92, 100, 55.5, 1])('finds the best file from quality %d', async (quality) => {
    for (let bytesMax = 1000; bytesMax < sizeAt(100) * 1.1; bytesMax = Math.round(bytesMax * 1.13)) {
      const tried: number[] = [];
      const encode = async (each: number) => {
        tried.push(each);
        return new Blob([new Uint8Array(Math.round(sizeAt(each)))]);
      };
      const found = await findQuality({ quality, bytesMax }, encode);
      expect(tried.length).toBeLessThanOrEqual(ENCODINGS_MAX);
      const fits = [quality, ...Array.from({ length: 100 }, (__, at) => 100 - at)].find(
        (each) => each <= quality && Math.round(sizeAt(each)) <= bytesMax,
      );
      if (fits === undefined) expect(found.quality).toBe(Math.min(1, quality));
      else {
        expect(found.blob.size).toBeLessThanOrEqual(bytesMax);
        expect(fits - found.quality).toBeLessThanOrEqual(2);
      }
    }
  });
});
