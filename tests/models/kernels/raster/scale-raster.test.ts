import { describe, expect, test } from 'vitest';
import type { Raster } from '../../../../models/core/runtime/raster.ts';
import { scaleRaster } from '../../../../models/kernels/raster/scale-raster.ts';
import { countFloats } from '../../../support/media/count-floats.ts';

type Colour = readonly [number, number, number, number];

function getRaster(width: number, height: number, colourAt: (x: number, y: number) => Colour): Raster {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set(colourAt(x, y), (y * width + x) * 4);
  return { width, height, data };
}

const pixel = ({ width, data }: Raster, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
];

describe('scaleRaster', () => {
  test('keeps a plain colour exactly, smaller and larger, in 8 and 16 bits', () => {
    const plain = getRaster(30, 20, () => [201, 7, 99, 255]);
    const deep: Raster = { ...plain, data: Uint16Array.from(plain.data, (sample) => sample * 257) };
    for (const [width, height] of [
      [7, 5],
      [90, 61],
    ] as const) {
      const scaled = scaleRaster(plain, width, height);
      expect([scaled.width, scaled.height]).toEqual([width, height]);
      expect(pixel(scaled, 3, 2)).toEqual([201, 7, 99, 255]);
      expect(pixel(scaleRaster(deep, width, height), 3, 2)).toEqual([201 * 257, 7 * 257, 99 * 257, 65535]);
    }
  });

  test('mixes in linear light: a fine black and white grid becomes the grey of the same brightness', () => {
    const grid = getRaster(64, 64, (x, y) => ((x + y) % 2 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    // Half the light of white is 188 in sRGB; a mean of the samples would give 128.
    for (const sample of pixel(scaleRaster(grid, 8, 8), 4, 4).slice(0, 3)) {
      expect(Math.abs(sample - 188)).toBeLessThanOrEqual(1);
    }
  });

  test('holds narrow rows for a strong reduction', async () => {
    const grid = getRaster(1000, 1000, (x, y) => ((x + y) % 2 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    let small = grid;
    const floats = await countFloats(() => {
      small = scaleRaster(grid, 10, 10);
    });
    // The filter reaches over 600 rows of 1,000 pixels.
    expect(floats).toBeLessThan(200_000);
    for (const sample of pixel(small, 4, 4).slice(0, 3))
      expect(Math.abs(sample - 188)).toBeLessThanOrEqual(1);
  });

  test('colours of transparent pixels do not bleed into visible ones', () => {
    const edge = getRaster(40, 40, (x) => (x < 20 ? [0, 200, 0, 255] : [255, 0, 0, 0]));
    const scaled = scaleRaster(edge, 10, 10);
    for (let x = 0; x < 10; x++) {
      const [red, green, , alpha] = pixel(scaled, x, 5);
      if (alpha) expect([red, green]).toEqual([0, 200]);
    }
    expect(pixel(scaled, 1, 5)[3]).toBe(255);
    expect(pixel(scaled, 8, 5)[3]).toBe(0);
  });

  test('a smooth image survives enlargement and reduction', () => {
    const wave = getRaster(96, 64, (x, y) => {
      const value = Math.round(127 + 90 * Math.sin(x / 9) * Math.cos(y / 7));
      return [value, 255 - value, value, 255];
    });
    const back = scaleRaster(scaleRaster(wave, 192, 128), 96, 64);
    let sum = 0;
    for (let at = 0; at < wave.data.length; at++) sum += ((wave.data[at] ?? 0) - (back.data[at] ?? 0)) ** 2;
    const psnr = 10 * Math.log10(255 ** 2 / (sum / wave.data.length));
    expect(psnr).toBeGreaterThan(42);
  });

  test('an image of the wanted size comes back as it is', () => {
    const plain = getRaster(3, 2, () => [1, 2, 3, 4]);
    expect(scaleRaster(plain, 3, 2)).toBe(plain);
  });
});
