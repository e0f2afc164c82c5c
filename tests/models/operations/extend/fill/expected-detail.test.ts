import { expect, it } from 'vitest';
import { expectedDetail } from '../../../../../models/operations/extend/fill/fill-canvas.ts';

it('measures the detail of known pixels, and expects that of the border next to them', () => {
  const [width, height] = [60, 40];
  // Smooth on the left; squares of two levels, a deviation of 20, on the right.
  const data = new Float32Array(width * height * 3);
  for (let place = 0; place < width * height; place++) {
    const [x, y] = [place % width, Math.floor(place / width)];
    data.fill(x < 30 ? 128 : (x + y) % 2 === 0 ? 108 : 148, place * 3, place * 3 + 3);
  }
  const canvas = { width, height: 80, kept: { left: 0, top: 0, width, height } };
  const detail = expectedDetail(canvas, { width, height, channels: 3, data }, 3);
  const at = (x: number, y: number) => detail[y * width + x];
  expect(at(10, 20)).toBe(0);
  expect(at(50, 20)).toBeCloseTo(20, 0);
  expect(at(10, 70)).toBeLessThan(0.5);
  expect(at(50, 70)).toBeGreaterThan(19);
});
