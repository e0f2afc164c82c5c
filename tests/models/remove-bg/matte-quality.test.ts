import { describe, expect, it } from 'vitest';
import { matteQuality } from '../../../models/remove-bg/matte-quality.ts';

const matte = (...data: number[]) => ({
  width: data.length,
  height: 1,
  channels: 1,
  data: Float32Array.from(data),
});

describe('the quality of a matte', () => {
  it.each([
    ['high', matte(0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.99, 0)],
    ['medium', matte(0, 0, 0.5, 1, 1, 1, 1, 1, 0, 0)],
    ['low', matte(0, 0.5, 0.5, 0.5, 0.5, 0)],
    ['low', matte(0, 0, 0, 0)],
  ] as const)('is %s', (quality, image) => {
    expect(matteQuality(image)).toBe(quality);
  });
});
