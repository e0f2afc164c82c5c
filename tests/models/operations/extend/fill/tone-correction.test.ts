import { expect, it } from 'vitest';
import { toneCorrection } from '../../../../../models/operations/extend/fill/extend-raster.ts';

const [WIDTH, HEIGHT, KEPT] = [120, 80, 80];

/** Corrects a canvas whose right third copies `copied` from the kept left of 100; grey levels. */
function correctionFor(copied: number) {
  const colours = new Float32Array(WIDTH * HEIGHT * 3).fill(100);
  // The source lies in the far corner, where it does not count for the tone of the border.
  colours.fill(copied, 0, 3);
  const sources = new Int32Array(WIDTH * HEIGHT).fill(-1);
  for (let y = 0; y < HEIGHT; y++) sources.fill(0, y * WIDTH + KEPT, (y + 1) * WIDTH);
  const kept = { left: 0, top: 0, width: KEPT, height: HEIGHT };
  const level = {
    width: WIDTH,
    height: HEIGHT,
    kept,
    colours,
    penalties: new Float32Array(),
    detail: new Float32Array(),
    radius: 3,
  };
  const { data } = toneCorrection(level, sources);
  return data[(40 * WIDTH + WIDTH - 2) * 3] as number;
}

it.each([
  [100, 0],
  [104, -4],
  [97, 3],
])('brings copies of %i next to a border of 100 back by %i', (copied, correction) => {
  expect(Math.abs(correctionFor(copied) - correction)).toBeLessThan(0.2);
});

it('leaves most of a large difference: it is another thing, and no drift', () => {
  expect(correctionFor(220)).toBeCloseTo(-20, 1);
  expect(correctionFor(10)).toBeCloseTo(20, 1);
});
