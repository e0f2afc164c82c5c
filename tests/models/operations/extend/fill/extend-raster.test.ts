import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../../../models/core/runtime/progress.ts';
import type { Raster } from '../../../../../models/core/runtime/raster.ts';
import { extendRaster } from '../../../../../models/operations/extend/fill/extend-raster.ts';
import type { Canvas } from '../../../../../models/operations/extend/fill/fill-level.ts';
import { seededRandom } from '../../../../../models/operations/extend/seeded-random.ts';

const signal = new AbortController().signal;

type Colour = readonly [red: number, green: number, blue: number];

function getRaster(width: number, height: number, colourAt: (x: number, y: number) => Colour): Raster {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) data.set([...colourAt(x, y), 255], at);
  }
  return { width, height, data };
}

function extend(
  image: Raster,
  margin: number,
  seed = 1,
): { readonly canvas: Canvas; readonly result: Raster } {
  const canvas = {
    width: image.width + 2 * margin,
    height: image.height + 2 * margin,
    kept: { left: margin, top: margin, width: image.width, height: image.height },
  };
  const result = extendRaster(image, canvas, { random: seededRandom(seed), signal, onProgress() {} });
  return { canvas, result };
}

/** Returns the samples of the added pixels, and what they should be. */
function added({ canvas, result }: ReturnType<typeof extend>, colourAt: (x: number, y: number) => Colour) {
  const pairs: { readonly found: Colour; readonly expected: Colour }[] = [];
  const { kept } = canvas;
  for (let y = 0; y < canvas.height; y++) {
    for (let x = 0; x < canvas.width; x++) {
      const [insideX, insideY] = [x - kept.left, y - kept.top];
      if (insideX >= 0 && insideX < kept.width && insideY >= 0 && insideY < kept.height) continue;
      const [red = 0, green = 0, blue = 0] = result.data.subarray((y * canvas.width + x) * 4);
      pairs.push({ found: [red, green, blue], expected: colourAt(insideX, insideY) });
    }
  }
  return pairs;
}

const differs = ({ found, expected }: { found: Colour; expected: Colour }) =>
  Math.max(...found.map((value, at) => Math.abs(value - (expected[at] as number)))) > 24;

describe('extendRaster', () => {
  it('keeps every known pixel', () => {
    const noise = seededRandom(7);
    const image = getRaster(50, 40, () => [noise() * 255, noise() * 255, noise() * 255]);
    const { canvas, result } = extend(image, 9);
    for (let y = 0; y < image.height; y++) {
      const from = ((y + 9) * canvas.width + 9) * 4;
      const row = image.data.subarray(y * image.width * 4, (y + 1) * image.width * 4);
      expect(result.data.subarray(from, from + image.width * 4)).toEqual(row);
    }
  });

  it('continues one colour exactly', () => {
    const image = getRaster(64, 48, () => [30, 120, 200]);
    const pairs = added(extend(image, 20), () => [30, 120, 200]);
    expect(pairs.every(({ found }) => found.join() === '30,120,200')).toBe(true);
  });

  it('continues a horizon at its height', () => {
    const horizon = (_x: number, y: number): Colour => (y < 30 ? [90, 150, 230] : [60, 110, 40]);
    const pairs = added(extend(getRaster(96, 64, horizon), 24), horizon);
    expect(pairs.filter(differs).length / pairs.length).toBeLessThan(0.02);
  });

  it('continues a pattern in step', () => {
    const stripes = (x: number): Colour => (((x % 12) + 12) % 12 < 6 ? [220, 60, 50] : [40, 40, 60]);
    const pairs = added(extend(getRaster(120, 96, stripes), 16), stripes);
    expect(pairs.filter(differs).length / pairs.length).toBeLessThan(0.1);
  });

  it('keeps the texture of a wall far from the border', () => {
    const noise = seededRandom(11);
    // Blocks with joints and grain: a mean of many of them is smooth.
    const image = getRaster(192, 160, (x, y) => {
      const isJoint = y % 14 < 2 || (x + (Math.floor(y / 14) % 2) * 13) % 26 < 2;
      const level = (isJoint ? 70 : 170) + (noise() - 0.5) * 60;
      return [level, level * 0.95, level * 0.85];
    });
    const { canvas, result } = extend(image, 48);
    const steps = (left: number, top: number, width: number, height: number) => {
      let sum = 0;
      for (let y = top; y < top + height; y++) {
        for (let at = (y * canvas.width + left) * 4; at < (y * canvas.width + left + width) * 4; at += 4) {
          sum += Math.abs((result.data[at + 4] as number) - (result.data[at] as number));
        }
      }
      return sum / (width * height);
    };
    expect(steps(4, 60, 24, 120) / steps(60, 60, 120, 120)).toBeGreaterThan(0.9);
  });

  it('holds the tone of the border, although darker pixels fit as well', () => {
    const noise = seededRandom(11);
    // It grows brighter to 180 at the right border, and all that can be copied is darker.
    const image = getRaster(120, 90, (x) => {
      const level = 60 + x + (noise() - 0.5) * 50;
      return [level, level, level];
    });
    const canvas = { width: 180, height: 90, kept: { left: 0, top: 0, width: 120, height: 90 } };
    const { data } = extendRaster(image, canvas, { random: seededRandom(1), signal, onProgress() {} });
    let sum = 0;
    for (let y = 0; y < 90; y++) {
      for (let x = 120; x < 180; x++) sum += data[(y * 180 + x) * 4] as number;
    }
    expect(sum / (90 * 60)).toBeGreaterThan(176);
  });

  it('continues rough ground as rough, and smooth ground as smooth, although the other lies nearby', () => {
    const noise = seededRandom(5);
    // Rough on the left, smooth on the right, both of one tone; above the rough one something smooth again.
    const image = getRaster(200, 120, (x, y) => {
      const level = 120 + (x < 100 && y > 50 ? (noise() - 0.5) * 90 : 0);
      return [level, level, level];
    });
    const canvas = { width: 200, height: 180, kept: { left: 0, top: 0, width: 200, height: 120 } };
    const { data } = extendRaster(image, canvas, { random: seededRandom(1), signal, onProgress() {} });
    const roughness = (left: number, top: number) => {
      let sum = 0;
      for (let y = top; y < top + 40; y++) {
        for (let at = (y * 200 + left) * 4; at < (y * 200 + left + 70) * 4; at += 4) {
          sum += Math.abs((data[at + 4] as number) - (data[at] as number));
        }
      }
      return sum / (40 * 70);
    };
    expect(roughness(10, 135) / roughness(10, 75)).toBeGreaterThan(0.9);
    expect(roughness(120, 135) / roughness(10, 75)).toBeLessThan(0.05);
  });

  it('gives the same bytes for a seed, and others for another one', () => {
    const noise = seededRandom(3);
    const image = getRaster(48, 48, (x) => [x * 3 + noise() * 60, noise() * 200, 90]);
    const [first, again, other] = [extend(image, 12, 5), extend(image, 12, 5), extend(image, 12, 6)];
    expect(again.result.data).toEqual(first.result.data);
    expect(other.result.data).not.toEqual(first.result.data);
  });

  it.each([
    [1, 1],
    [2, 5],
    [300, 1],
  ])('extends an image of %i x %i pixels', (width, height) => {
    const pairs = added(
      extend(
        getRaster(width, height, () => [10, 20, 30]),
        11,
      ),
      () => [10, 20, 30],
    );
    expect(pairs.every(({ found }) => found.join() === '10,20,30')).toBe(true);
  });

  it('keeps 16 bits and alpha', () => {
    const data = new Uint16Array(40 * 30 * 4);
    for (let at = 0; at < data.length; at += 4) data.set([1000, 33_000, 60_000, 20_000], at);
    const { result } = extend({ width: 40, height: 30, data }, 10);
    expect(result.data).toBeInstanceOf(Uint16Array);
    expect([...result.data.subarray(0, 4)]).toEqual([1000, 33_000, 60_000, 20_000]);
  });

  it('copies from the same places in a canvas that is too large to search', { tags: ['long'] }, () => {
    const horizon = (_x: number, y: number): Colour => (y < 500 ? [90, 150, 230] : [60, 110, 40]);
    const pairs = added(extend(getRaster(1300, 950, horizon), 8), horizon);
    expect(pairs.filter(differs).length / pairs.length).toBeLessThan(0.02);
  });

  it('follows a guide', () => {
    const image = getRaster(80, 80, (x) => (x < 40 ? [0, 0, 0] : [255, 255, 255]));
    const canvas = { width: 120, height: 80, kept: { left: 0, top: 0, width: 80, height: 80 } };
    const share = (guided: number) => {
      const data = new Float32Array(120 * 80 * 3).fill(guided);
      const guide = { width: 120, height: 80, channels: 3, data };
      const { data: samples } = extendRaster(image, canvas, {
        guide,
        random: seededRandom(1),
        signal,
        onProgress() {},
      });
      let white = 0;
      for (let y = 0; y < 80; y++)
        for (let x = 90; x < 120; x++) white += (samples[(y * 120 + x) * 4] as number) / 255;
      return white / (80 * 30);
    };
    expect(share(1)).toBeGreaterThan(0.9);
    expect(share(0)).toBeLessThan(0.1);
  });

  it('repeats what is avoided only next to where it meets the border', () => {
    // A red square in the middle of green, and another one at the lower border.
    const isRed = (x: number, y: number) =>
      (Math.abs(x - 60) < 14 && Math.abs(y - 30) < 14) || (Math.abs(x - 60) < 14 && y > 70);
    const noise = seededRandom(2);
    const image = getRaster(120, 90, (x, y) => (isRed(x, y) ? [200, 30, 30] : [30, 120 + noise() * 40, 40]));
    const data = Float32Array.from({ length: 120 * 90 }, (_, at) =>
      isRed(at % 120, Math.floor(at / 120)) ? 1 : 0,
    );
    const canvas = { width: 240, height: 130, kept: { left: 60, top: 0, width: 120, height: 90 } };
    const avoided = { width: 120, height: 90, channels: 1, data };
    const result = extendRaster(image, canvas, { avoided, random: seededRandom(1), signal, onProgress() {} });
    const redIn = (fromX: number, toX: number, fromY: number, toY: number) => {
      let count = 0;
      for (let y = fromY; y < toY; y++) {
        for (let x = fromX; x < toX; x++) if ((result.data[(y * 240 + x) * 4] as number) > 120) count++;
      }
      return count / ((toX - fromX) * (toY - fromY));
    };
    expect(redIn(0, 60, 0, 90) + redIn(180, 240, 0, 90)).toBeLessThan(0.01);
    expect(redIn(112, 128, 90, 100)).toBeGreaterThan(0.25);
  });

  it('stops when the signal aborts, and reports progress that never falls', () => {
    const image = getRaster(200, 150, (x, y) => [x, y, 0]);
    const canvas = { width: 260, height: 150, kept: { left: 30, top: 0, width: 200, height: 150 } };
    const controller = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ fraction }: Progress) => {
      seen.push(fraction);
      if (fraction > 0.3) controller.abort();
    };
    const options = { random: seededRandom(1), signal: controller.signal, onProgress };
    expect(() => extendRaster(image, canvas, options)).toThrow(/abort/i);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBeLessThan(1);
  });
});
