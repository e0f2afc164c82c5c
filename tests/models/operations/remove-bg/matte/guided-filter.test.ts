import { describe, expect, it } from 'vitest';
import type { FloatImage } from '../../../../../models/core/runtime/raster.ts';
import { boxMean } from '../../../../../models/kernels/raster/box-mean.ts';
import { applyLevels } from '../../../../../models/operations/remove-bg/matte/cut-out.ts';
import { guidedCoefficients } from '../../../../../models/operations/remove-bg/matte/guided-filter.ts';

/** Numbers without pattern, the same in every run. */
function noise(width: number, height: number, channels: number): FloatImage {
  let state = 1;
  const data = Float32Array.from({ length: width * height * channels }, () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  });
  return { width, height, channels, data };
}

/** Sum and count over the window, by its definition. */
function window(image: FloatImage, x: number, y: number, channel: number, radius: number): number {
  let sum = 0;
  let count = 0;
  for (let v = Math.max(0, y - radius); v <= Math.min(image.height - 1, y + radius); v++) {
    for (let u = Math.max(0, x - radius); u <= Math.min(image.width - 1, x + radius); u++) {
      sum += image.data[(v * image.width + u) * image.channels + channel] as number;
      count += 1;
    }
  }
  return sum / count;
}

describe('the box mean', () => {
  it.each([0, 1, 3, 9, 40])('of radius %d is the mean of the window', (radius) => {
    const image = noise(11, 8, 2);
    const mean = boxMean(image, radius);
    for (const [x, y] of [
      [0, 0],
      [10, 7],
      [5, 3],
      [0, 4],
    ] as const) {
      for (const channel of [0, 1]) {
        expect(mean.data[(y * 11 + x) * 2 + channel]).toBeCloseTo(window(image, x, y, channel, radius), 5);
      }
    }
  });
});

/** Computes the filtered matte from coefficients and guide. */
function filtered(guide: FloatImage, matte: FloatImage, radius: number, epsilon: number): number[] {
  const { data } = guidedCoefficients(guide, matte, { radius, epsilon });
  return Array.from(matte.data, (_, place) =>
    [0, 1, 2].reduce(
      (sum, channel) =>
        sum + (data[place * 4 + channel] as number) * (guide.data[place * 3 + channel] as number),
      data[place * 4 + 3] as number,
    ),
  );
}

describe('the guided filter', () => {
  it('returns a matte unchanged that is linear in the colours', () => {
    const guide = noise(16, 12, 3);
    const matte = {
      ...guide,
      channels: 1,
      data: Float32Array.from({ length: 16 * 12 }, (_, place) => {
        const [red = 0, green = 0, blue = 0] = guide.data.subarray(place * 3, place * 3 + 3);
        return 0.5 * red - 0.3 * green + 0.2 * blue + 0.1;
      }),
    };
    const values = filtered(guide, matte, 2, 1e-9);
    values.forEach((value, place) => {
      expect(value).toBeCloseTo(matte.data[place] as number, 3);
    });
  });

  it('returns the mean where the guide is flat', () => {
    const guide = { width: 20, height: 20, channels: 3, data: new Float32Array(1200).fill(0.5) };
    const matte = noise(20, 20, 1);
    const twice = boxMean(boxMean(matte, 3), 3);
    filtered(guide, matte, 3, 1e-4).forEach((value, place) => {
      expect(value).toBeCloseTo(twice.data[place] as number, 4);
    });
  });

  it('moves a blurred edge to where the colours change', () => {
    const side = 32;
    const isSubject = (place: number) => place % side >= 13;
    const guide = {
      width: side,
      height: side,
      channels: 3,
      data: Float32Array.from({ length: side * side * 3 }, (_, at) =>
        isSubject(Math.floor(at / 3)) ? 0.8 : 0.2,
      ),
    };
    const truth = {
      ...guide,
      channels: 1,
      data: Float32Array.from({ length: side * side }, (_, p) => +isSubject(p)),
    };
    const blurred = boxMean(truth, 3);
    const errorOf = (values: ArrayLike<number>) =>
      truth.data.reduce(
        (sum, value, place) => sum + Math.abs(value - applyLevels(values[place] as number)),
        0,
      );
    expect(errorOf(filtered(guide, blurred, 5, 1e-4))).toBeLessThan(errorOf(blurred.data) / 2);
  });
});
