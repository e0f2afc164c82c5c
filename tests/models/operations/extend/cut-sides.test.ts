import { expect, test } from 'vitest';
import type { FloatImage } from '../../../../models/core/runtime/raster.ts';
import { findCutSides } from '../../../../models/operations/extend/cut-sides.ts';

const SIDE = 100;

/** Draws a subject between a left and a right column, from a top row to the lower border. */
function createMask(left: number, top: number, right: number): FloatImage {
  const data = new Float32Array(SIDE * SIDE);
  for (let y = top; y < SIDE; y++) data.fill(1, y * SIDE + left, y * SIDE + right);
  return { width: SIDE, height: SIDE, channels: 1, data };
}

const around = { width: 300, height: 300, kept: { left: 100, top: 100, width: 100, height: 100 } };

test('a portrait whose hat leaves the image is cut above and below', () => {
  expect(findCutSides(createMask(30, 0, 70), around)).toEqual(['top', 'bottom']);
});

test('a border that is not extended cuts nothing', () => {
  const above = { width: 100, height: 200, kept: { left: 0, top: 100, width: 100, height: 100 } };
  expect(findCutSides(createMask(30, 0, 70), above)).toEqual(['top']);
  expect(findCutSides(createMask(30, 40, 70), above)).toEqual([]);
});

test('a subject that merely touches a border is not cut', () => {
  expect(findCutSides(createMask(50, 0, 53), around)).toEqual([]);
});
