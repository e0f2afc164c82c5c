import { expect, test } from 'vitest';
import { draggedBackground } from '../../../app/studio/remove-bg/move-background.ts';

const MIDDLE = { x: 0.5, y: 0.5, scale: 1 };
/** Drags a background of 400 x 100 pixels behind a canvas that is shown at 100 x 100. */
const drag = (by: [number, number], at = MIDDLE) =>
  draggedBackground({
    at,
    from: { x: 10, y: 10 },
    to: { x: 10 + by[0], y: 10 + by[1] },
    image: { width: 400, height: 100 },
    box: { width: 100, height: 100 },
  });

test('a background follows the pointer by as much as it overhangs', () => {
  // It overhangs by 300: 30 to the right show 30 more on its left.
  expect(drag([30, 0])).toEqual({ ...MIDDLE, x: 0.4 });
  expect(drag([-30, 0])).toEqual({ ...MIDDLE, x: 0.6 });
  expect(drag([900, 0]).x).toBe(0);
});

test('it stays where nothing overhangs, until it is enlarged', () => {
  expect(drag([0, 40]).y).toBe(0.5);
  expect(drag([0, 40], { ...MIDDLE, scale: 2 }).y).toBeCloseTo(0.1);
});
