import { expect, test } from 'vitest';
import { isKnownMatrix, type YuvPicture, yuvToRgba } from '../../../models/kernels/colour/yuv-to-rgba.ts';

const SIZE = { width: 2, height: 2 };
const WHOLE = { across: 0, down: 0 };
const plane = (samples: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>, stride: number) => ({
  samples,
  start: 0,
  stride,
});
const flat = (value: number) => plane(new Uint8Array(4).fill(value), 2);

/** Red of full intensity in each coding: ITU-R BT.601-7, BT.709-6 and BT.2020-2. */
test.each([
  ['BT.601 of the full range', { matrix: 6, isFullRange: true }, [76, 85, 255]],
  ['BT.601 of the limited range', { matrix: 6, isFullRange: false }, [81, 90, 240]],
  ['BT.709 of the limited range', { matrix: 1, isFullRange: false }, [63, 102, 240]],
  ['BT.2020 of the full range', { matrix: 9, isFullRange: true }, [67, 92, 255]],
  ['green, blue and red', { matrix: 0, isFullRange: true }, [0, 0, 255]],
] as const)('red by %s is red', (_, coding, [luma, blue, red]) => {
  const planes = [flat(luma), flat(blue), flat(red)] as const;
  const { data } = yuvToRgba({ ...SIZE, ...coding, bits: 8, halvings: WHOLE, planes }, 255);
  [255, 0, 0, 255].forEach((expected, at) => {
    expect(Math.abs((data[at] ?? -1) - expected)).toBeLessThanOrEqual(2);
  });
});

test('10 bits keep their steps in a raster of 16', () => {
  const levels = Uint16Array.of(0, 1, 512, 1023);
  const neutral = plane(new Uint16Array(4).fill(512), 2);
  const picture: YuvPicture = {
    ...SIZE,
    bits: 10,
    halvings: WHOLE,
    planes: [plane(levels, 2), neutral, neutral],
    matrix: 1,
    isFullRange: true,
  };
  const { data } = yuvToRgba(picture, 65_535);
  expect([0, 4, 8, 12].map((at) => data[at])).toEqual([0, 64, 32_800, 65_535]);
  expect([...data.subarray(8, 12)]).toEqual([32_800, 32_800, 32_800, 65_535]);
});

test('halved differences run linearly between their places, also at odd sides', () => {
  const size = { width: 5, height: 1 };
  const luma = plane(new Uint8Array(5).fill(128), 5);
  const neutral = plane(new Uint8Array(3).fill(128), 3);
  const picture: YuvPicture = {
    ...size,
    bits: 8,
    halvings: { across: 1, down: 1 },
    planes: [luma, neutral, plane(Uint8Array.of(128, 168, 168), 3)],
    matrix: 6,
    isFullRange: true,
  };
  const { data } = yuvToRgba(picture, 255);
  const reds = [0, 1, 2, 3, 4].map((x) => Math.round(((data[x * 4] ?? 0) - 128) / 1.402));
  expect(reds).toEqual([0, 10, 30, 40, 40]);
});

test('coefficients of constant luminance are not known', () => {
  expect([0, 1, 5, 6, 9].every(isKnownMatrix)).toBe(true);
  expect([2, 8, 10, 14].some(isKnownMatrix)).toBe(false);
});
