import { describe, expect, test } from 'vitest';
import { ENCODER_FIELDS, GEOMETRY_FIELDS } from '../../../app/studio/convert/device-fields.ts';
import { dropResult, holdResult, swapResult } from '../../../app/studio/convert/plan-adjusted.ts';
import { describeLostFrames, isStill, nameSettings } from '../../../app/studio/convert/wording.ts';
import type { DoneState } from '../../../app/studio/runs/batch.ts';
import { initialValues } from '../../../app/studio/tools/fields.ts';

const done = (quality: number): DoneState => ({
  phase: 'done',
  durationSeconds: 1,
  resultParams: { quality },
  result: { files: [], warnings: [] },
});

describe('a held result', () => {
  test('is one for each file, and goes with its file', () => {
    const held = holdResult(holdResult(new Map(), 1, done(90), [1, 2]), 2, done(80), [1, 2]);
    expect([...held.keys()]).toEqual([1, 2]);
    expect([...holdResult(held, 2, done(70), [2])]).toEqual([[2, done(70)]]);
    expect([...dropResult(held, 1).keys()]).toEqual([2]);
  });

  test('changes places with the result, each with its settings', () => {
    const held = holdResult(new Map(), 1, done(90), [1]);
    const swapped = swapResult(held, 1, done(40));
    expect(swapped?.state).toEqual(done(90));
    expect(swapped?.held.get(1)).toEqual(done(40));
    expect(swapResult(held, 2, done(40))).toBeNull();
  });
});

test.each([
  [{ to_format: 'jpg', quality: 80 }, 'JPG 80'],
  [{ to_format: 'png', quality: 80 }, 'PNG'],
  [{ to_format: 'webp', quality: 80, lossless: true }, 'WebP · Lossless'],
  [{ to_format: 'avif', quality: 62, chroma: '4:4:4' }, 'AVIF 62 · 4:4:4'],
  [{ to_format: 'jpg', quality: 80, resize: 'percent', percent: 30 }, 'JPG 80 · Percent 30'],
])('settings %j are named %s', (values, name) => {
  const own = initialValues([...GEOMETRY_FIELDS, ...ENCODER_FIELDS]);
  expect(nameSettings({ ...own, ...values })).toBe(name);
});

describe('lost frames', () => {
  const gif = { name: 'cat.gif', mediaType: 'image/gif', frames: 24 };

  test('are told of one file, of one among others, and of several', () => {
    expect(describeLostFrames([gif], 1)).toBe('This GIF has 24 frames: only the first is kept.');
    expect(describeLostFrames([gif], 3)).toBe('cat.gif has 24 frames: only the first is kept.');
    const both = [gif, { ...gif, mediaType: 'image/webp' }];
    expect(describeLostFrames(both, 3)).toBe('2 images are animated: only the first frame of each is kept.');
    expect(describeLostFrames([], 3)).toBeNull();
  });

  test('are lost in still formats only', () => {
    const still = ['jpg', 'png', 'webp', 'avif', 'heic', 'tiff', 'gif', 'bmp'].filter((to_format) =>
      isStill({ to_format }),
    );
    expect(still).toEqual(['jpg', 'png', 'avif', 'heic', 'bmp']);
  });
});
