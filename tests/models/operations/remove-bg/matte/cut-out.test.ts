import { describe, expect, it, test } from 'vitest';
import type { FloatImage, Raster8 } from '../../../../../models/core/runtime/raster.ts';
import { LineSampler, lerp } from '../../../../../models/kernels/raster/line-sampler.ts';
import { solidBackdrop } from '../../../../../models/operations/remove-bg/backdrop.ts';
import { cutSubject } from '../../../../../models/operations/remove-bg/matte/complete-matte.ts';
import {
  applyLevels,
  type Cutout,
  cutOut,
  trimapOfCoefficients,
} from '../../../../../models/operations/remove-bg/matte/cut-out.ts';
import { foregroundColours } from '../../../../../models/operations/remove-bg/matte/foreground-colours.ts';

const WIDTH = 64;
const HEIGHT = 16;
const RED = [220, 30, 20] as const;
const GREEN = [20, 200, 40] as const;
/** Opaque on the left, soft over 16 pixels in the middle, transparent on the right. */
const alphaAt = (x: number) => Math.min(1, Math.max(0, (40 - x) / 16));

const places = Array.from({ length: WIDTH * HEIGHT }, (_, place) => place % WIDTH);
const mixed = (x: number, channel: number) =>
  (RED[channel] ?? 0) * alphaAt(x) + (GREEN[channel] ?? 0) * (1 - alphaAt(x));

const photo = () => ({
  width: WIDTH,
  height: HEIGHT,
  data: Uint8Array.from(places.flatMap((x) => [mixed(x, 0), mixed(x, 1), mixed(x, 2), 255])),
});
const colours: FloatImage = {
  width: WIDTH,
  height: HEIGHT,
  channels: 3,
  data: Float32Array.from(places.flatMap((x) => [0, 1, 2].map((channel) => mixed(x, channel) / 255))),
};
const matte: FloatImage = { ...colours, channels: 1, data: Float32Array.from(places, alphaAt) };
const everywhere = { left: 0, top: 0, width: WIDTH, height: HEIGHT };
const fused = foregroundColours(colours, matte, [12, 2], [everywhere]);

/** Coefficients that give `alphaAt` for every colour, through the levels. */
const coefficients: FloatImage = {
  ...colours,
  channels: 4,
  data: Float32Array.from(places.flatMap((x) => [0, 0, 0, 0.15 + 0.7 * alphaAt(x)])),
};
const nothing: FloatImage = { ...coefficients, data: new Float32Array(WIDTH * HEIGHT * 4) };
function cut(raster: Raster8, changed: Partial<Cutout>, onRow: (y: number) => void = () => {}): void {
  const cutout = { coefficients, colours: fused, backdrop: null, ...changed };
  cutOut(raster, { ...cutout, trimap: trimapOfCoefficients(cutout.coefficients) }, onRow);
}

/** Numbers from 0 to 1 without pattern, the same in every run. */
const noise = () => {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
};
const pixel = (data: Uint8Array, x: number, y = 8) =>
  Array.from(data.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 4));

describe('a cutout', () => {
  it('has the matte as alpha', () => {
    const raster = photo();
    cut(raster, {});
    for (let x = 0; x < WIDTH; x++) expect(pixel(raster.data, x)[3]).toBe(Math.round(alphaAt(x) * 255));
  });

  it('follows its coefficients exactly, also where certain pixels are skipped', () => {
    const random = noise();
    // From pixel to pixel they are certain, nearly so, or depend on the colours.
    const values = places.flatMap(() => {
      const strength = [0, 0.02, 0.5][Math.floor(random() * 3)] ?? 0;
      const ends = [0, 0.149, 0.5, 0.851, 1];
      const slopes = [0, 1, 2].map(() => strength * (random() - 0.5));
      return [...slopes, ends[Math.floor(random() * ends.length)] ?? 0];
    });
    const wild = { ...coefficients, data: Float32Array.from(values) };
    const seen = photo().data;
    const raster = photo();
    cut(raster, { coefficients: wild });
    for (const [place, x] of places.entries()) {
      const [red = 0, green = 0, blue = 0, offset = 0] = wild.data.subarray(place * 4, place * 4 + 4);
      const [r = 0, g = 0, b = 0] = seen.subarray(place * 4);
      const wanted = 255 * applyLevels((red * r + green * g + blue * b) / 255 + offset);
      expect(Math.abs((raster.data[place * 4 + 3] ?? 0) - wanted), `place ${place}, x ${x}`).toBeLessThan(
        0.51,
      );
    }
  });

  it.each([
    [200, 50],
    [64, 5],
    [17, 40],
    [3, 1],
  ])('of %d x %d interpolates its coefficients', (width, height) => {
    const small = { width: 16, height: 8 };
    const random = noise();
    const values = Array.from({ length: 16 * 8 }, () => [
      0,
      0,
      0,
      [0, 0, 0.5, 1, 1][Math.floor(random() * 5)] ?? 0,
    ]);
    const ends = { ...small, channels: 4, data: Float32Array.from(values.flat()) };
    const raster = { width, height, data: new Uint8Array(width * height * 4).fill(255) };
    const even = { ...small, channels: 6, data: new Float32Array(16 * 8 * 6).fill(1) };
    cut(raster, { coefficients: ends, colours: even });
    const sampler = new LineSampler(ends, width, height);
    for (let y = 0; y < height; y++) {
      sampler.seek(y);
      for (let x = 0; x < width; x++) {
        const value = lerp(sampler.line, (sampler.left[x] ?? 0) + 3, 4, sampler.share[x] ?? 0);
        const alpha = raster.data[(y * width + x) * 4 + 3] ?? 0;
        expect(Math.abs(alpha - 255 * applyLevels(value)), `${x}, ${y}`).toBeLessThan(0.51);
      }
    }
  });

  it('keeps the subject unchanged and removes the surroundings', () => {
    const raster = photo();
    cut(raster, {});
    expect(pixel(raster.data, 2)).toEqual([...RED, 255]);
    expect(pixel(raster.data, 60)).toEqual([0, 0, 0, 0]);
  });

  it('has the colours of the subject at soft edges', () => {
    const raster = photo();
    cut(raster, {});
    for (const x of [26, 30, 34]) {
      const photographed = [0, 1].map((channel) => mixed(x, channel));
      pixel(raster.data, x)
        .slice(0, 2)
        .forEach((cleaned, channel) => {
          const own = RED[channel] ?? 0;
          expect(Math.abs(cleaned - own)).toBeLessThan(Math.abs((photographed[channel] ?? 0) - own) / 2);
        });
    }
  });

  it('is composited over its backdrop', () => {
    const raster = photo();
    cut(raster, { backdrop: solidBackdrop([0, 0, 1, 1]) });
    expect(pixel(raster.data, 2)).toEqual([...RED, 255]);
    expect(pixel(raster.data, 60)).toEqual([0, 0, 255, 255]);
    expect(pixel(raster.data, 32)[3]).toBe(255);
  });

  it('is composited over a half-transparent backdrop', () => {
    const raster = photo();
    cut(raster, { coefficients: nothing, backdrop: solidBackdrop([1, 1, 1, 0.5]) });
    expect(pixel(raster.data, 5)).toEqual([255, 255, 255, 128]);
  });

  it('keeps transparent pixels transparent', () => {
    const raster = photo();
    raster.data[(8 * WIDTH + 2) * 4 + 3] = 0;
    cut(raster, {});
    expect(pixel(raster.data, 2)[3]).toBe(0);
  });

  it.each([
    ['the subject', 2],
    ['its soft edge', 30],
  ])('keeps the colour of half-transparent pixels in %s', (_, x) => {
    const raster = photo();
    const at = (8 * WIDTH + x) * 4;
    raster.data[at + 3] = 128;
    const before = pixel(raster.data, x).slice(0, 3);
    cut(raster, {});
    expect(pixel(raster.data, x)).toEqual([...before, Math.round(128 * alphaAt(x))]);
  });

  it('can be aborted before any row', () => {
    const stop = (y: number) => {
      if (y === 3) throw new Error('ended');
    };
    expect(() => cut(photo(), {}, stop)).toThrow('ended');
  });
});

const SIDE = 40;
const image = (channels: number, at: (x: number, y: number, channel: number) => number) => ({
  width: SIDE,
  height: SIDE,
  channels,
  data: Float32Array.from({ length: SIDE * SIDE * channels }, (_, index) => {
    const place = Math.floor(index / channels);
    return at(place % SIDE, Math.floor(place / SIDE), index % channels);
  }),
});

test('the cut follows the edge of colours where the matte is vague', () => {
  const colours = image(3, (x, _, channel) => (channel === (x < 20 ? 0 : 1) ? 0.9 : 0.1));
  // A ramp whose middle lies four pixels off the edge.
  const matte = image(1, (x) => Math.min(1, Math.max(0, (36 - x) / 24)));
  const labels = cutSubject(matte, colours);
  for (let x = 0; x < SIDE; x++) expect([x, labels[20 * SIDE + x]]).toEqual([x, x < 20 ? 1 : 0]);
});

test('a matte without doubt is cut at its own outline', () => {
  const grey = image(3, () => 0.5);
  const matte = image(1, (x, y) => (Math.hypot(x - 20, y - 20) < 10 ? 1 : 0));
  const labels = cutSubject(matte, grey);
  const wrong = labels.filter((label, place) => label !== matte.data[place]).length;
  expect(wrong).toBeLessThan(8);
});
