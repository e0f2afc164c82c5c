import { describe, expect, test } from 'vitest';
import { dragged, movedByKey } from '../../../app/studio/remove-bg/stage/move-subject.ts';

const AT = { x: 0.5, y: 0.5, scale: 1, angle: 0 };
const drag = (from: [number, number], to: [number, number]) => ({
  at: AT,
  from: { x: from[0], y: from[1] },
  to: { x: to[0], y: to[1] },
  centre: { x: 100, y: 100 },
  box: { width: 200, height: 400 },
});

describe('dragging the subject', () => {
  test('moves its centre in shares of the canvas, and never off it', () => {
    expect(dragged('move', drag([100, 100], [120, 140]))).toEqual({ ...AT, x: 0.6, y: 0.6 });
    expect(dragged('move', drag([100, 100], [900, 100])).x).toBe(1);
  });

  test('scales by the distance from its middle, within bounds', () => {
    expect(dragged('scale', drag([110, 100], [120, 100]))).toEqual({ ...AT, scale: 2 });
    expect(dragged('scale', drag([200, 100], [100, 100])).scale).toBe(0.05);
    expect(dragged('scale', drag([101, 100], [400, 100])).scale).toBe(8);
  });

  test('turns clockwise around its middle, and falls into right angles', () => {
    expect(dragged('turn', drag([100, 50], [150, 100])).angle).toBe(90);
    expect(dragged('turn', drag([100, 50], [149, 98])).angle).toBe(90);
    expect(dragged('turn', drag([100, 50], [135.36, 64.64])).angle).toBeCloseTo(45, 0);
    expect(dragged('turn', drag([100, 50], [100, 150])).angle).toBe(-180);
  });
});

test('keys move, scale and turn the subject; others mean nothing', () => {
  expect(movedByKey('ArrowRight', false, AT)?.x).toBeCloseTo(0.51);
  expect(movedByKey('ArrowUp', true, AT)?.y).toBeCloseTo(0.4);
  expect(movedByKey('+', false, AT)?.scale).toBeCloseTo(1.05);
  expect(movedByKey('-', false, AT)?.scale).toBeCloseTo(1 / 1.05);
  expect(movedByKey('[', false, AT)?.angle).toBe(-5);
  expect(movedByKey(']', false, { ...AT, angle: 179 })?.angle).toBe(-176);
  expect(movedByKey('x', false, AT)).toBeNull();
});
