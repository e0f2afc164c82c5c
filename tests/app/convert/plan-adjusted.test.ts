import { expect, test } from 'vitest';
import { planAdjusted } from '../../../app/(studio)/convert/plan-adjusted.ts';

const PHOTO = { width: 300, height: 200 };
const UPRIGHT = { quarterTurns: 0, isMirrored: false } as const;

test('an original is compared as it is with a result in another size', () => {
  expect(planAdjusted(PHOTO, { resizing: { by: 'percent', percent: 50 } })).toBeNull();
  expect(
    planAdjusted(PHOTO, { resizing: { by: 'pixels', width: 90, height: 90, fit: 'inside' } }),
  ).toBeNull();
  expect(planAdjusted(PHOTO, { orientation: UPRIGHT })).toBeNull();
});

test('an original beside a turned or mirrored result is turned and mirrored in its own size', () => {
  const onSide = { quarterTurns: 1, isMirrored: false } as const;
  const turned = { width: 200, height: 300 };
  expect(planAdjusted(PHOTO, { orientation: onSide, resizing: { by: 'percent', percent: 50 } })).toEqual({
    canvas: turned,
    drawn: turned,
    orientation: onSide,
  });
  const mirrored = { quarterTurns: 0, isMirrored: true } as const;
  expect(planAdjusted(PHOTO, { orientation: mirrored })).toEqual({
    canvas: PHOTO,
    drawn: PHOTO,
    orientation: mirrored,
  });
});

test('an original beside a cut result shows the same part, beside a distorted one the same shape', () => {
  expect(planAdjusted(PHOTO, { resizing: { by: 'pixels', width: 50, height: 50, fit: 'cover' } })).toEqual({
    canvas: { width: 200, height: 200 },
    drawn: PHOTO,
    orientation: UPRIGHT,
  });
  expect(planAdjusted(PHOTO, { resizing: { by: 'pixels', width: 50, height: 50, fit: 'stretch' } })).toEqual({
    canvas: { width: 300, height: 300 },
    drawn: { width: 300, height: 300 },
    orientation: UPRIGHT,
  });
});
