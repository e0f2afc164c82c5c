import { describe, expect, it } from 'vitest';
import { matteQuality } from '../../../models/matting/matte-quality.ts';

const matte = (...data: number[]) => ({
  width: data.length,
  height: 1,
  channels: 1,
  data: Float32Array.from(data),
});

/** Matte with some certain pixels of a subject, and some uncertain ones. */
const subject = (certain: number, unsure: number) =>
  matte(0, 0, ...Array<number>(certain).fill(0.98), ...Array<number>(unsure).fill(0.5), 0.02);

describe('the quality of a matte', () => {
  it.each([
    ['high', subject(100, 0)],
    ['high', subject(96, 4)],
    ['medium', subject(94, 6)],
    ['medium', subject(89, 11)],
    ['low', subject(87, 13)],
    ['low', subject(0, 4)],
    ['low', matte(0, 0, 0.1, 0)],
  ] as const)('is %s', (quality, image) => {
    expect(matteQuality(image)).toBe(quality);
  });
});
