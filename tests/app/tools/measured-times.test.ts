import { expect, test } from 'vitest';
import { getWork } from '../../../app/studio/run-times/work-of.ts';
import { estimateMeasured } from '../../../app/studio/tools/measured-times.ts';
import { TARGET_FORMATS } from '../../../models/operations/convert/schema.ts';
import type { OperationId } from '../../../models/registry.ts';

const JPEG = { width: 4000, height: 3000, mediaType: 'image/jpeg' };
const HEIC = { ...JPEG, mediaType: 'image/heic' };
const VIDEO = { width: 1920, height: 1080, durationSeconds: 5, mediaType: 'video/mp4' };
const SONG = { durationSeconds: 180, mediaType: 'audio/mpeg' };

function estimate(operationId: OperationId, facts: object, params: object = {}) {
  const work = getWork(facts, params, () => 'first');
  return work && estimateMeasured(operationId, work);
}

// A page offers one of the two names of JPEG.
test.each(TARGET_FORMATS.filter((format) => format !== 'jpeg'))(
  'a first conversion to %s has an estimate before the click',
  (to_format) => {
    const of = (facts: object) => estimate('media-convert-image', facts, { to_format })?.seconds ?? 0;
    expect(of(JPEG)).toBeGreaterThan(0.4);
    expect(of(HEIC)).toBeGreaterThan(0.4);
  },
);

test('a HEIC takes longer to convert than a JPEG', () => {
  const of = (facts: object) => estimate('media-convert-image', facts, { to_format: 'jpg' })?.seconds ?? 0;
  expect(of(HEIC)).toBeGreaterThan(2 * of(JPEG));
});

test.each([
  ['remove-bg', JPEG],
  ['remove-bg', VIDEO],
  ['image-moderation', JPEG],
  ['image-outpaint', JPEG],
  ['audio-diarize', SONG],
  ['audio-separate-stems', SONG],
] as const)('the first run of %s has an estimate for %o', (operationId, facts) => {
  expect(estimate(operationId, facts)?.seconds).toBeGreaterThan(1);
});

test('a cutout of 12 megapixels does not take twelve times as long as one of 1', () => {
  const of = (facts: object) => estimate('remove-bg', facts)?.seconds ?? 0;
  expect(of({ ...JPEG, width: 1000, height: 1000 })).toBeCloseTo(3);
  // Measured: 6.6 s.
  expect(of(JPEG)).toBeGreaterThan(3.3);
  expect(of(JPEG)).toBeLessThan(13);
});
