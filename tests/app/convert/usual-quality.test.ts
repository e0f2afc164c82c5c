import { expect, test } from 'vitest';
import { followFormat, startWithUsualQuality } from '../../../app/studio/convert/encoder-options.ts';
import { initialValues } from '../../../app/studio/tools/fields.ts';
import { readFields } from '../../../app/studio/tools/read-fields.ts';
import { OPERATIONS } from '../../../models/registry.ts';

const FIELDS = readFields(OPERATIONS['media-convert-image']);
const START = initialValues(startWithUsualQuality(FIELDS));

const choose = (to_format: string, before = START) => followFormat({ ...before, to_format }, before);

test('the page starts below the quality of the API, whose default stays', () => {
  expect(START).toMatchObject({ to_format: 'jpg', quality: 80 });
  expect(initialValues(FIELDS)).toMatchObject({ to_format: 'jpg', quality: 92 });
});

test('the quality follows the format', () => {
  expect(choose('avif')).toMatchObject({ to_format: 'avif', quality: 75 });
  expect(choose('webp', choose('avif'))).toMatchObject({ to_format: 'webp', quality: 80 });
});

test('a quality of the visitor stays', () => {
  const own = { ...START, quality: 60 };
  expect(choose('avif', own)).toMatchObject({ to_format: 'avif', quality: 60 });
  expect(choose('jpg', choose('png', own))).toMatchObject({ quality: 60 });
});

test('a lossless format in between changes nothing', () => {
  expect(choose('webp', choose('png', choose('avif')))).toMatchObject({ to_format: 'webp', quality: 80 });
});
