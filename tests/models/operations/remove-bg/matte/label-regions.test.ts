import { expect, test } from 'vitest';
import { labelRegions } from '../../../../../models/operations/remove-bg/matte/complete-matte.ts';

/** Two pixels that touch at a corner, one of them at the border, and a third apart from both. */
const MASK = Uint8Array.from([
  ...[1, 0, 0, 0, 0],
  ...[0, 1, 0, 0, 0],
  ...[0, 0, 0, 1, 0],
  ...[0, 0, 0, 0, 0],
]);

test('regions connect over corners with eight neighbours', () => {
  const { labels, areas, touchesBorder } = labelRegions(MASK, 5, 4, 8);
  expect([areas, touchesBorder]).toEqual([
    [2, 1],
    [true, false],
  ]);
  expect([labels[0], labels[6], labels[13], labels[1]]).toEqual([0, 0, 1, -1]);
});

test('regions connect over edges only with four', () => {
  const { areas, touchesBorder } = labelRegions(MASK, 5, 4, 4);
  expect([areas, touchesBorder]).toEqual([
    [1, 1, 1],
    [true, false, false],
  ]);
});

test('rows do not connect around the border', () => {
  const mask = Uint8Array.from([0, 0, 1, 1, 0, 0]);
  expect(labelRegions(mask, 3, 2, 4).areas).toEqual([1, 1]);
});
