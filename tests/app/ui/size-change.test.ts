import { expect, test } from 'vitest';
import { describeConversionChange, describeSizeChange } from '../../../app/ui/quantities.ts';

test.each([
  [1000, 1460, '46 % larger'],
  [1000, 380, '62 % smaller'],
  [1000, 1003, 'the same size'],
  [1000, 3990, '299 % larger'],
  [1000, 6440, '6.4 times as large'],
])('%d bytes that become %d are %s', (before, after, words) => {
  expect(describeSizeChange(before, after)).toBe(words);
});

test('a conversion names both formats', () => {
  const from = { mediaType: 'image/heic', bytes: 1000 };
  expect(describeConversionChange(from, { mediaType: 'image/jpeg', bytes: 1460 })).toBe(
    'HEIC to JPG: 46 % larger',
  );
  expect(describeConversionChange(from, { mediaType: 'image/webp', bytes: 380 })).toBe(
    'HEIC to WebP: 62 % smaller',
  );
});
