import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Raster } from '../../../../models/core/runtime/raster.ts';
import { measureDegradation } from '../../../../models/operations/upscale/measure-degradation.ts';

async function getRaster(image: Sharp): Promise<Raster> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** Photograph, reduced until its own compression no longer shows. */
const photograph = () => sharp('public/samples/lemur.jpg').resize(480);

async function compressed(quality: number): Promise<Sharp> {
  return sharp(await photograph().jpeg({ quality }).toBuffer());
}

/** Repeatable noise of a uniform distribution. */
function noisy({ width, height, data }: Raster, deviation: number): Raster {
  let state = 7;
  const noise = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * deviation * Math.sqrt(12);
  };
  return { width, height, data: new Uint8Array(Uint8ClampedArray.from(data, (sample) => sample + noise())) };
}

describe('blocking', () => {
  it('rises as the quality of JPEG falls', async () => {
    const clean = measureDegradation(await getRaster(photograph())).blocking;
    const measured: number[] = [];
    for (const quality of [90, 75, 60, 40]) {
      measured.push(measureDegradation(await getRaster(await compressed(quality))).blocking);
    }
    expect(clean).toBeLessThan(0.1);
    expect([clean, ...measured]).toEqual([clean, ...measured].toSorted((one, other) => one - other));
    expect(measured[2]).toBeGreaterThan(0.6);
  });

  it('is found wherever the grid begins', async () => {
    const image = await getRaster(await compressed(60));
    const whole = measureDegradation(image).blocking;
    const area = { left: 3, top: 5, width: image.width - 3, height: image.height - 5 };
    const cut = await sharp(await (await compressed(60)).png().toBuffer()).extract(area);
    expect(Math.abs(measureDegradation(await getRaster(cut)).blocking - whole)).toBeLessThan(0.3 * whole);
  });

  it('is the same with 16 bits per sample', async () => {
    const image = await getRaster(await compressed(60));
    const deep = { ...image, data: Uint16Array.from(image.data, (sample) => sample * 257) };
    expect(measureDegradation(deep).blocking).toBeCloseTo(measureDegradation(image).blocking, 3);
  });

  it('is not seen in squares of 8 pixels that an artist drew', () => {
    const side = 256;
    const data = new Uint8Array(side * side * 4).fill(255);
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const isDark = ((x >> 3) + (y >> 3)) % 2 === 0;
        data.fill(isDark ? 40 : 200, (y * side + x) * 4, (y * side + x) * 4 + 3);
      }
    }
    expect(measureDegradation({ width: side, height: side, data }).blocking).toBe(0);
  });
});

describe('grain', () => {
  it('rises with the noise', async () => {
    const clean = await getRaster(photograph());
    const measured = [0, 4, 8, 12].map((deviation) => measureDegradation(noisy(clean, deviation)).grain);
    expect(measured[0]).toBeLessThan(1);
    expect(measured).toEqual(measured.toSorted((one, other) => one - other));
    expect(measured[2]).toBeGreaterThan(3.5);
  });

  it('of one colour is nothing', () => {
    const data = new Uint8Array(200 * 100 * 4).fill(128);
    expect(measureDegradation({ width: 200, height: 100, data })).toEqual({ blocking: 0, grain: 0 });
  });
});

it.each([
  [1, 1],
  [8, 8],
  [1, 3000],
  [20, 9],
])('an image of %i x %i pixels is too small to tell', (width, height) => {
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => (at * 37) % 251);
  expect(measureDegradation({ width, height, data }).blocking).toBe(0);
});
