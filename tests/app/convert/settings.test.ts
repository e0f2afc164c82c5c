import { describe, expect, test } from 'vitest';
import { ENCODER_FIELDS } from '../../../app/studio/convert/encoder-options.ts';
import { dropResult, holdResult, swapResult } from '../../../app/studio/convert/held-results.ts';
import {
  CONVERT_WORDING,
  describeLostFrames,
  isStill,
  nameSettings,
} from '../../../app/studio/convert/wording.ts';
import type { DoneState } from '../../../app/studio/runs/batch.ts';
import { initialValues } from '../../../app/studio/tools/fields.ts';
import { readFields } from '../../../app/studio/tools/read-fields.ts';
import { getRelevantValues } from '../../../app/studio/tools/wording.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { mediaConvertImage } from '../../../models/operations/convert/operation.ts';

const FIELDS = readFields(mediaConvertImage);

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
  [{ to_format: 'jpg', quality: 80, width: 300, rotate: 90 }, 'JPG 80 · 90° · Width 300'],
  [{ to_format: 'jpg', quality: 80, share: 50 }, 'JPG 80 · 50 %'],
  [{ to_format: 'jpg', quality: 80, max_bytes: 200_000 }, 'JPG 80 · Largest file 200 kB'],
])('settings %j are named %s', (values, name) => {
  const own = initialValues([...FIELDS, ...ENCODER_FIELDS]);
  expect(nameSettings(FIELDS, { ...own, ...values })).toBe(name);
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

test('every field of the operation has words, and what has no effect is not sent', () => {
  expect(Object.keys(CONVERT_WORDING.fields).sort()).toEqual(FIELDS.map(({ name }) => name).sort());
  const values = {
    ...initialValues(FIELDS),
    to_format: 'png',
    width: 300,
    fit: 'cover',
    gravity: 'north',
    pad_color: '#fff',
    max_bytes: 9000,
  };
  const params = getRelevantValues(FIELDS, CONVERT_WORDING, values);
  expect(JSON.parse(JSON.stringify(params))).toEqual({
    to_format: 'png',
    keep_metadata: false,
    enlarge: false,
    width: 300,
  });
  parseParams(mediaConvertImage.params, params);
});
