import { describe, expect, it } from 'vitest';
import type { FloatImage } from '../../../../models/core/runtime/raster.ts';
import { cropImage } from '../../../../models/kernels/raster/crop.ts';
import { LineSampler, lerp } from '../../../../models/kernels/raster/line-sampler.ts';
import {
  fitWithin,
  resizeColours,
  resizeImage,
  resizeRegion,
} from '../../../../models/kernels/raster/resize.ts';

const grey = (width: number, height: number, value: (x: number, y: number) => number): FloatImage => ({
  width,
  height,
  channels: 1,
  data: Float32Array.from({ length: width * height }, (_, at) => value(at % width, Math.floor(at / width))),
});

describe('resizing', () => {
  it.each([
    [7, 5],
    [64, 48],
    [3, 200],
    [1, 1],
  ])('to %d x %d keeps a uniform image uniform', (width, height) => {
    const { data } = resizeImage(
      grey(31, 17, () => 0.25),
      width,
      height,
    );
    expect(data.length).toBe(width * height);
    for (const value of data) expect(value).toBeCloseTo(0.25, 6);
  });

  it('makes a fine checkerboard grey, not coarser', () => {
    const { data } = resizeImage(
      grey(200, 200, (x, y) => (x + y) % 2),
      20,
      20,
    );
    for (const value of data) expect(value).toBeCloseTo(0.5, 2);
  });

  it('keeps an edge in place', () => {
    const { data } = resizeImage(
      grey(100, 1, (x) => (x < 50 ? 0 : 1)),
      10,
      1,
    );
    expect(Array.from(data.subarray(0, 4))).toEqual([0, 0, 0, 0]);
    expect((data[4] ?? 0) + (data[5] ?? 0)).toBeCloseTo(1, 5);
    expect(Array.from(data.subarray(6))).toEqual([1, 1, 1, 1]);
  });

  it('enlarges exactly as the line sampler does', () => {
    const image = grey(5, 4, (x, y) => Math.sin(x * 3 + y * 7));
    const large = resizeImage(image, 17, 11);
    const sampler = new LineSampler(image, 17, 11);
    for (let y = 0; y < 11; y++) {
      sampler.seek(y);
      for (let x = 0; x < 17; x++) {
        const read = lerp(sampler.line, sampler.left[x] as number, 1, sampler.share[x] as number);
        expect(read).toBeCloseTo(large.data[y * 17 + x] as number, 5);
      }
    }
  });

  it('of a raster composites transparent pixels over white', () => {
    const data = Uint8Array.of(255, 0, 0, 255, 9, 9, 9, 0);
    expect(Array.from(resizeColours({ width: 2, height: 1, data }, 2, 1).data)).toEqual([1, 0, 0, 1, 1, 1]);
  });

  it('of a 16-bit raster gives the same colours', () => {
    const data = Uint16Array.of(65535, 32896, 0, 65535);
    const [red, green, blue] = resizeColours({ width: 1, height: 1, data }, 1, 1).data;
    expect([red, green, blue]).toEqual([1, expect.closeTo(128 / 255, 6), 0]);
  });
});

describe('fitting within a side', () => {
  it('keeps the shape and never enlarges', () => {
    expect(fitWithin({ width: 4000, height: 3000 }, 1000)).toEqual({ width: 1000, height: 750 });
    expect(fitWithin({ width: 40, height: 30 }, 1000)).toEqual({ width: 40, height: 30 });
    expect(fitWithin({ width: 8000, height: 1 }, 1000)).toEqual({ width: 1000, height: 1 });
  });
});

describe('resizing a region', () => {
  it.each([
    [50, 40],
    [9, 7],
    [31, 17],
    [3, 200],
  ])('of %d x %d gives the very samples of the whole', (width, height) => {
    const image = grey(31, 17, (x, y) => Math.sin(x * 3 + y * 7));
    const whole = resizeImage(image, width, height);
    const [left, top] = [Math.floor(width / 3), Math.floor(height / 4)];
    const region = { left, top, width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
    expect(resizeRegion(image, { width, height }, region)).toEqual(cropImage(whole, region));
  });
});
