import { expect, it } from 'vitest';
import { cutToCents } from '../../../app/ui/quantities.ts';

it.each([
  ['0', '0.00'],
  ['0.998', '0.99'],
  ['12.3', '12.30'],
  ['1234.567891', '1234.56'],
])('cuts %s to %s', (usd, shown) => {
  expect(cutToCents(usd)).toBe(shown);
});
