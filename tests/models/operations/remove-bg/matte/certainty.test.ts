import { describe, expect, it } from 'vitest';
import type { FloatImage } from '../../../../../models/core/runtime/raster.ts';
import { cropImage, growRegion, pasteImage } from '../../../../../models/kernels/raster/crop.ts';
import {
  BACKGROUND,
  computeTrimap,
  FOREGROUND,
  foregroundColours,
  unknownRegions,
} from '../../../../../models/operations/remove-bg/matte/foreground-colours.ts';
import {
  COEFFICIENTS,
  guidedCoefficients,
} from '../../../../../models/operations/remove-bg/matte/guided-filter.ts';

const SIZE = { width: 190, height: 150 };
const image = (channels: number, value: (x: number, y: number, channel: number) => number): FloatImage => ({
  ...SIZE,
  channels,
  data: Float32Array.from({ length: SIZE.width * SIZE.height * channels }, (_, at) => {
    const place = Math.floor(at / channels);
    return value(place % SIZE.width, Math.floor(place / SIZE.width), at % channels);
  }),
});
/** Disc with a soft edge beyond one side of the image, and a square with a hard one. */
const matte = image(1, (x, y) => {
  if (x > 120 && x < 150 && y > 90 && y < 130) return 1;
  return Math.min(1, Math.max(0, (41 - Math.hypot(x - 20, y - 60)) / 3));
});
const colours = image(3, (x, y, channel) => 0.5 + 0.5 * Math.sin(x / (3 + channel) + y / 7));
const certainty = computeTrimap(matte, 0.03, 0.97);

describe('the uncertain regions of a matte', () => {
  it.each([0, 1, 4, 20, 200])('contain each pixel within %d pixels of an uncertain one, once', (reach) => {
    const held = new Uint8Array(certainty.length);
    for (const { left, top, width, height } of unknownRegions(certainty, SIZE, reach)) {
      for (let y = top; y < top + height; y++) {
        for (let x = left; x < left + width; x++)
          held[y * SIZE.width + x] = (held[y * SIZE.width + x] ?? 0) + 1;
      }
    }
    for (let place = 0; place < held.length; place += 7) {
      const [x, y] = [place % SIZE.width, Math.floor(place / SIZE.width)];
      const near = cropImage(matte, growRegion({ left: x, top: y, width: 1, height: 1 }, reach, SIZE)).data;
      const isCertain = near.every((value) => value <= 0.03) || near.every((value) => value >= 0.97);
      expect(held[place], `${x}, ${y}`).toBeLessThanOrEqual(1);
      if (!isCertain) expect(held[place], `${x}, ${y}`).toBe(1);
    }
  });

  it('cover a small part of an image, and none of a uniform matte', () => {
    const areas = unknownRegions(certainty, SIZE, 1).map(({ width, height }) => width * height);
    const area = areas.reduce((sum, one) => sum + one, 0);
    expect(area).toBeLessThan(certainty.length * 0.6);
    expect(unknownRegions(new Uint8Array(certainty.length).fill(BACKGROUND), SIZE, 5)).toEqual([]);
    expect(unknownRegions(new Uint8Array(certainty.length).fill(FOREGROUND), SIZE, 5)).toEqual([]);
  });
});

describe('computed in regions with a border as wide as the window', () => {
  const regions = unknownRegions(certainty, SIZE, 8);

  it('the guided filter equals that of the whole image', { tags: ['long'] }, () => {
    const options = { radius: 4, epsilon: 1e-4 };
    const whole = guidedCoefficients(colours, matte, options);
    const pasted = image(COEFFICIENTS, () => 0);
    for (const region of regions) {
      const source = growRegion(region, 8, SIZE);
      const part = guidedCoefficients(cropImage(colours, source), cropImage(matte, source), options);
      pasteImage(pasted, part, source, region);
      const [wanted, got] = [cropImage(whole, region), cropImage(pasted, region)];
      got.data.forEach((value, at) => {
        expect(Math.abs(value - (wanted.data[at] ?? 0))).toBeLessThan(1e-3);
      });
    }
  });

  it('foreground colours equal those of the whole image', () => {
    const everywhere = foregroundColours(colours, matte, [30, 2], [{ left: 0, top: 0, ...SIZE }]);
    const parts = foregroundColours(colours, matte, [30, 2], regions);
    expect(regions.length).toBeGreaterThan(1);
    for (const region of regions) {
      const [wanted, got] = [cropImage(everywhere, region), cropImage(parts, region)];
      got.data.forEach((value, at) => {
        expect(Math.abs(value - (wanted.data[at] ?? 0))).toBeLessThan(1e-4);
      });
    }
  });
});
