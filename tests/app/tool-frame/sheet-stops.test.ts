import { expect, test } from 'vitest';
import { adjacentStop, nearestStop, stopHeightPx } from '../../../app/studio/tool-frame/sheet-stops.ts';

const WINDOW_PX = 844;

test('the sheet rests at the nearest of three heights', () => {
  expect(stopHeightPx('low', WINDOW_PX)).toBe(116);
  expect(stopHeightPx('half', WINDOW_PX)).toBe(422);
  expect(stopHeightPx('full', WINDOW_PX)).toBeCloseTo(776.5, 1);
  expect([100, 268, 270, 590, 610].map((height) => nearestStop(height, WINDOW_PX))).toEqual([
    'low',
    'low',
    'half',
    'half',
    'full',
  ]);
});

test('steps end at the lowest and the highest stop', () => {
  expect(adjacentStop('low', 1)).toBe('half');
  expect(adjacentStop('low', -1)).toBe('low');
  expect(adjacentStop('full', 1)).toBe('full');
});
