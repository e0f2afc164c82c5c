import { describe, expect, test } from 'vitest';
import type { FloatImage } from '../../../../../models/core/runtime/raster.ts';
import { MatteStabiliser } from '../../../../../models/operations/remove-bg/run-video.ts';

const SIDE = 40;
const FRAME_SECONDS = 1 / 30;

/** Returns pseudo-random numbers, the same in every run: S. K. Park, K. W. Miller, CACM 1988. */
function noise(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
}

function imageOf(channels: number, value: (x: number, y: number) => number): FloatImage {
  const data = Float32Array.from({ length: SIDE * SIDE * channels }, (_, at) => {
    const place = Math.floor(at / channels);
    return value(place % SIDE, Math.floor(place / SIDE));
  });
  return { width: SIDE, height: SIDE, channels, data };
}

const meanDifference = (one: FloatImage, other: FloatImage) =>
  one.data.reduce((sum, value, at) => sum + Math.abs(value - (other.data[at] as number)), 0) /
  one.data.length;

/** Bright square whose left edge is at `left`, on black: its colours, and whether a pixel is in it. */
const square = (left: number) => {
  const isIn = (x: number, y: number) => (x >= left && x < left + 16 && y >= 10 && y < 26 ? 1 : 0);
  return { colours: imageOf(3, (x, y) => 0.2 + 0.6 * isIn(x, y)), truth: imageOf(1, isIn) };
};

describe('mattes of successive frames', () => {
  test('flicker less than half as much where the image stands still', () => {
    const steadier = new MatteStabiliser();
    const random = noise();
    const { colours, truth } = square(10);
    const raw: FloatImage[] = [];
    const steadied: FloatImage[] = [];
    for (let frame = 0; frame < 20; frame++) {
      const grainy = { ...colours, data: colours.data.map((value) => value + random() * 0.02) };
      const matte = { ...truth, data: truth.data.map((value) => value + random() * 0.3) };
      raw.push(matte);
      steadied.push(steadier.stabilise(grainy, matte, frame * FRAME_SECONDS));
    }
    const flicker = (mattes: FloatImage[]) =>
      mattes.slice(1).reduce((sum, matte, at) => sum + meanDifference(matte, mattes[at] as FloatImage), 0);
    expect(flicker(steadied)).toBeLessThan(flicker(raw) * 0.5);
    expect(meanDifference(steadied.at(-1) as FloatImage, truth)).toBeLessThan(
      meanDifference(raw.at(-1) as FloatImage, truth),
    );
  });

  test('of different sizes are rejected', () => {
    const steadier = new MatteStabiliser();
    const { colours, truth } = square(10);
    steadier.stabilise(colours, truth, 0);
    const smaller = { ...truth, height: SIDE / 2, data: truth.data.slice(0, (SIDE * SIDE) / 2) };
    expect(() => steadier.stabilise(colours, smaller, FRAME_SECONDS)).toThrow(RangeError);
  });

  test('leave no trail behind a moving subject', () => {
    const steadier = new MatteStabiliser();
    for (let frame = 0; frame < 10; frame++) {
      const { colours, truth } = square(frame * 2);
      expect(meanDifference(steadier.stabilise(colours, truth, frame * FRAME_SECONDS), truth)).toBeLessThan(
        1e-3,
      );
    }
  });

  test('have no influence after a scene cut, and less over time', () => {
    const steadier = new MatteStabiliser();
    const [one, other] = [square(2), square(20)];
    steadier.stabilise(one.colours, one.truth, 0);
    expect(
      meanDifference(steadier.stabilise(other.colours, other.truth, FRAME_SECONDS), other.truth),
    ).toBeLessThan(1e-3);
    const late = imageOf(1, () => 0.5);
    expect(meanDifference(steadier.stabilise(other.colours, late, 10), late)).toBeLessThan(1e-6);
  });
});
