import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Picture } from '../../../../models/core/runtime/image-codec.ts';
import type { Raster } from '../../../../models/core/runtime/raster.ts';
import { firstFrame, getPicture } from '../../../../models/kernels/raster/picture.ts';
import { encodeWebpRaster } from '../../../../models/media/image/webp/encode-raster.ts';
import { prefixCodeFor } from '../../../../models/media/image/webp/write-alpha.ts';

/** Encodes the colours alone, with libwebp. */
async function encodeOpaque(picture: Picture): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, data } = await firstFrame(picture);
  const samples = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
  return new Uint8Array(await samples.webp({ quality: 100, smartSubsample: true }).toBuffer());
}

async function written(raster: Raster): Promise<Buffer> {
  const copy = { ...raster, data: raster.data.slice() };
  const file = await encodeWebpRaster(getPicture(copy, { hasAlpha: true, metadata: {} }), encodeOpaque);
  return sharp(file ?? new Uint8Array())
    .ensureAlpha()
    .raw()
    .toBuffer();
}

const getAlphas = (data: Uint8Array | Uint16Array) => Array.from(data).filter((_, at) => at % 4 === 3);

/** Alpha in slopes, runs and noise. */
const rasters = fc
  .record({
    width: fc.integer({ min: 1, max: 70 }),
    height: fc.integer({ min: 1, max: 60 }),
    slope: fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })),
    noise: fc.integer({ min: 0, max: 256 }),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
  })
  .map(({ width, height, slope: [across, down], noise, seed }): Raster => {
    const data = new Uint8Array(width * height * 4).fill(90);
    let state = seed;
    for (let place = 0; place < width * height; place++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const even = 128 + across * (place % width) + down * Math.floor(place / width);
      data[place * 4 + 3] = Math.min(255, Math.max(0, even + (noise ? (state >>> 16) % noise : 0)));
    }
    return { width, height, data };
  });

describe('a transparent WebP', () => {
  it('keeps every alpha value', () =>
    fc.assert(
      fc.asyncProperty(rasters, async (raster) => {
        expect(getAlphas(await written(raster))).toEqual(getAlphas(raster.data));
      }),
      { numRuns: 150 },
    ));

  it('keeps alpha in runs longer than the longest copy', async () => {
    const raster = { width: 130, height: 90, data: new Uint8Array(130 * 90 * 4) };
    raster.data[(80 * 130 + 7) * 4 + 3] = 200;
    expect(getAlphas(await written(raster))).toEqual(getAlphas(raster.data));
  });

  it('keeps the colours of visible pixels next to transparent black ones', async () => {
    const [width, height] = [48, 48];
    const data = new Uint8Array(width * height * 4);
    for (let place = 0; place < width * height; place++) {
      if (place % width > 20) data.set([250, 240, 30, 255], place * 4);
    }
    const read = await written({ width, height, data });
    for (const x of [21, 22, 30, 47]) {
      const at = (20 * width + x) * 4;
      [250, 240, 30].forEach((value, channel) => {
        expect(Math.abs((read[at + channel] ?? 0) - value), `x ${x}`).toBeLessThan(4);
      });
    }
  });

  it('is written as opaque when every pixel is opaque', async () => {
    const raster = { width: 20, height: 10, data: new Uint8Array(800).fill(255) };
    const file = await encodeWebpRaster(getPicture(raster, { hasAlpha: true, metadata: {} }), encodeOpaque);
    expect(await sharp(file ?? new Uint8Array()).metadata()).toMatchObject({ hasAlpha: false, width: 20 });
  });

  it('is null when the browser has no encoder for its colours', async () => {
    const raster = { width: 2, height: 2, data: new Uint8Array(16) };
    const picture = getPicture(raster, { hasAlpha: true, metadata: {} });
    expect(await encodeWebpRaster(picture, async () => null)).toBeNull();
  });
});

describe('a prefix code', () => {
  it('has no code longer than 15 bits, however rare a symbol is, and is complete', () => {
    let [one, other] = [1, 1];
    const counts = Array.from({ length: 40 }, () => {
      [one, other] = [other, one + other];
      return one;
    });
    const { lengths } = prefixCodeFor([0, ...counts, 0]);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(15);
    const used = Array.from(lengths).filter((length) => length > 0);
    expect(used).toHaveLength(40);
    expect(used.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1);
    expect([lengths[0], lengths[41]]).toEqual([0, 0]);
  });
});
