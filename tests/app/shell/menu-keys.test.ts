import { expect, it } from 'vitest';
import { nextLink } from '../../../app/shell/menu-keys.ts';

const COLUMNS = [['a', 'b', 'c'], [], ['d', 'e']];

it.each([
  ['down to the next link', 'a', 'ArrowDown', 'b'],
  ['down into the next column', 'c', 'ArrowDown', 'd'],
  ['down from the last link to the first', 'e', 'ArrowDown', 'a'],
  ['down into the menu', 'elsewhere', 'ArrowDown', 'a'],
  ['up into the menu, from its end', 'elsewhere', 'ArrowUp', 'e'],
  ['up from the first link to the last', 'a', 'ArrowUp', 'e'],
  ['right to the same row, past an empty column', 'b', 'ArrowRight', 'e'],
  ['right to the last row of a shorter column', 'c', 'ArrowRight', 'e'],
  ['left around to the last column', 'a', 'ArrowLeft', 'd'],
  ['to the first link', 'e', 'Home', 'a'],
  ['to the last link', 'a', 'End', 'e'],
])('moves %s', (_, from, key, to) => {
  expect(nextLink(COLUMNS, from, key)).toBe(to);
});

it.each([
  ['another key', 'a', 'x'],
  ['a key across columns from outside the menu', 'elsewhere', 'ArrowRight'],
])('moves nothing for %s', (_, from, key) => {
  expect(nextLink(COLUMNS, from, key)).toBeUndefined();
});

it('moves nothing in an empty menu', () => {
  expect(nextLink([], 'elsewhere', 'ArrowDown')).toBeUndefined();
});
