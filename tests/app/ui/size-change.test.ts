import { expect, test } from 'vitest';
import { describeSizeChange } from '../../../app/ui/quantities.ts';

test.each([
  [1000, 1460, '46 % larger'],
  [1000, 380, '62 % smaller'],
  [1000, 1003, 'the same size'],
  [1000, 3990, '299 % larger'],
  [1000, 6440, '6.4 times as large'],
])('%d bytes that become %d are %s', (before, after, words) => {
  expect(describeSizeChange(before, after)).toBe(words);
});
