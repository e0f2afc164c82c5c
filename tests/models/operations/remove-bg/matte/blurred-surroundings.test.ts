import { expect, test } from 'vitest';
import type { FloatImage } from '../../../../../models/core/runtime/raster.ts';
import { blurredSurroundings } from '../../../../../models/operations/remove-bg/read-backdrop.ts';

const SIDE = 200;
/** Columns over which white fur, half transparent, gives way to a black background. */
const FUR = { from: 80, to: 100 } as const;

const columns = (at: (x: number) => readonly number[]): FloatImage => {
  const values = Array.from({ length: SIDE * SIDE }, (_, place) => at(place % SIDE)).flat();
  return { width: SIDE, height: SIDE, channels: values.length / SIDE ** 2, data: Float32Array.from(values) };
};

/** True share of subject in a column. */
const opacity = (x: number) => Math.min(1, Math.max(0, (FUR.to - x) / (FUR.to - FUR.from)));
const row = (surroundings: { readonly data: Uint8Array }, x: number) =>
  surroundings.data[((SIDE / 2) * SIDE + x) * 4] as number;

test('white fur does not glow on a dark background', () => {
  const colours = columns((x) => [opacity(x), opacity(x), opacity(x)]);
  const surroundings = blurredSurroundings(
    colours,
    columns((x) => [opacity(x)]),
  );
  // Weighted by the share of background alone, these are 25 and 10.
  expect(row(surroundings, FUR.to)).toBeLessThan(16);
  expect(row(surroundings, FUR.to + 5)).toBeLessThan(8);
});

test('a background of one colour stays that colour, right up to the subject and beneath it', () => {
  const colours = columns((x) => [x < FUR.from ? 1 : 0.25, 0.5, 0.75]);
  const surroundings = blurredSurroundings(
    colours,
    columns((x) => [x < FUR.from ? 1 : 0]),
  );
  for (const x of [FUR.from - 8, FUR.from, FUR.to, SIDE - 1]) {
    expect(Math.abs(row(surroundings, x) - 64)).toBeLessThanOrEqual(2);
  }
});
