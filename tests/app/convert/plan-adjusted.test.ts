import { expect, test } from 'vitest';
import { planAdjusted, visibleAdjustments } from '../../../app/studio/convert/plan-adjusted.ts';

const PHOTO = { width: 300, height: 200 };
const UPRIGHT = { quarterTurns: 0, isMirrored: false } as const;

test('an original is compared as it is with a result in another size', () => {
  expect(planAdjusted(PHOTO, { resizing: { by: 'percent', percent: 50 } })).toBeNull();
  expect(
    planAdjusted(PHOTO, { resizing: { by: 'pixels', width: 90, height: 90, fit: 'inside' } }),
  ).toBeNull();
  expect(planAdjusted(PHOTO, { orientation: UPRIGHT })).toBeNull();
});

test('an original next to a turned or mirrored result is turned and mirrored in its own size', () => {
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

test('an original next to a cut result shows the same part, next to a distorted one the same shape', () => {
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

test('an original distorted into a long shape is no longer than its result needs', () => {
  const drawnFor = (width: number, height: number) =>
    planAdjusted(PHOTO, { resizing: { by: 'pixels', width, height, fit: 'stretch' } });
  const narrow = { width: 50, height: 500 };
  expect(drawnFor(50, 500)).toEqual({ canvas: narrow, drawn: narrow, orientation: UPRIGHT });
  expect(drawnFor(2000, 16_000)?.canvas).toEqual({ width: 300, height: 2400 });
  expect(drawnFor(400, 16_000)?.canvas).toEqual({ width: 102, height: 4096 });
});

test('a size alone changes nothing that is seen', () => {
  const onSide = { quarterTurns: 1, isMirrored: false } as const;
  const getBox = (fit: 'inside' | 'cover' | 'stretch') =>
    ({ by: 'pixels', width: 50, height: 50, fit }) as const;
  expect(
    visibleAdjustments({ orientation: UPRIGHT, resizing: { by: 'percent', percent: 50 } }),
  ).toBeUndefined();
  expect(visibleAdjustments({ resizing: getBox('inside') })).toBeUndefined();
  expect(visibleAdjustments({ resizing: { by: 'pixels', width: 50, fit: 'cover' } })).toBeUndefined();
  expect(visibleAdjustments({ orientation: onSide, resizing: { by: 'percent', percent: 50 } })).toEqual({
    orientation: onSide,
  });
  for (const fit of ['cover', 'stretch'] as const) {
    expect(visibleAdjustments({ resizing: getBox(fit) })).toEqual({
      orientation: UPRIGHT,
      resizing: getBox(fit),
    });
  }
});
