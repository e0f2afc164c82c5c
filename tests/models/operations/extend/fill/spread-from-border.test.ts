import { describe, expect, it } from 'vitest';
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
