import { describe, expect, it } from 'vitest';
import { toneCorrection } from '../../../../../models/operations/extend/fill/extend-raster.ts';
import { clamp } from '../../../../../models/operations/extend/fill/fill-level.ts';
import { spreadFromBorder } from '../../../../../models/operations/extend/fill/spread-from-border.ts';

/** Returns one channel of a canvas with `margin` unknown pixels all round, after its known ones were spread. */
function spread(
  { width, height }: { readonly width: number; readonly height: number },
  margin: number,
  likeness: number,
  valueAt: (x: number, y: number) => number,
) {
  const kept = { left: margin, top: margin, width, height };
  const canvas = { width: width + 2 * margin, height: height + 2 * margin, kept };
  const data = new Float32Array(canvas.width * canvas.height).fill(-1);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data[(margin + y) * canvas.width + margin + x] = valueAt(x, y);
  }
  spreadFromBorder(canvas, { width: canvas.width, height: canvas.height, channels: 1, data }, likeness);
  return (x: number, y: number) => data[(margin + y) * canvas.width + margin + x] as number;
}

describe('spreadFromBorder', () => {
  it.each([
    [5, 4],
    [1, 6],
    [6, 1],
    [1, 1],
    [2, 2],
  ])('gives each pixel next to %i x %i unlike ones the value of the nearest', (width, height) => {
    const valueAt = (x: number, y: number) => 100 * (1 + x + width * y);
    const at = spread({ width, height }, 3, 1, valueAt);
    for (let y = -3; y < height + 3; y++) {
      for (let x = -3; x < width + 3; x++) {
        expect(at(x, y)).toBe(valueAt(clamp(x, 0, width - 1), clamp(y, 0, height - 1)));
      }
    }
  });

  it('fades a faint pattern with the distance, and keeps a strong one', () => {
    const pattern = (strength: number) => (x: number) => 100 + (x % 16 < 8 ? -strength : strength);
    const faint = spread({ width: 128, height: 60 }, 80, 30, pattern(4));
    const strong = spread({ width: 128, height: 60 }, 80, 30, pattern(60));
    const contrast = (at: ReturnType<typeof spread>, y: number) => at(76, y) - at(68, y);
    expect(contrast(faint, -1)).toBeGreaterThan(7);
    expect(Math.abs(contrast(faint, -80))).toBeLessThan(1);
    expect(contrast(strong, -80)).toBeGreaterThan(110);
  });
});

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
