import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ClipTokenizer } from '../../../../models/operations/extend/encode-prompt.ts';

// Part of the published vocabulary, with its ids.
const read = (name: string) => readFileSync(`tests/fixtures/clip/${name}`, 'utf8');
const tokenizer = new ClipTokenizer(read('vocab.json'), read('merges.txt'));

test.each([
  ['a photo of a cat', [320, 1125, 539, 320, 2368]],
  ['a diagram', [320, 22697]],
  ['Hello, World!', [3306, 267, 1002, 256]],
  [
    '  a stormy sea at\ndusk, highly detailed, 8k',
    [320, 20075, 2102, 536, 19708, 267, 5302, 12609, 267, 279, 330],
  ],
  ["it's we'll they've", [585, 568, 649, 1342, 889, 1200]],
  ['a café', [320, 15304]],
  ['a cafe\u0301', [320, 15304]],
  ['12345 3.14', [272, 273, 274, 275, 276, 274, 269, 272, 275]],
  ['supercalifragilisticexpialidocious', [1642, 2857, 13093, 2076, 5868, 26850, 835, 639, 38466]],
])('%j has its published tokens', (text, ids) => {
  const found = tokenizer.encode(text);
  expect(found.ids.slice(0, ids.length + 2)).toEqual([49406, ...ids, 49407]);
  expect(found.ids).toHaveLength(77);
  expect(found.ids.slice(ids.length + 1).every((id) => id === 49407)).toBe(true);
  expect(found.isCut).toBe(false);
});

test('a long text is cut to what fits', () => {
  const found = tokenizer.encode('a cat '.repeat(60));
  expect([found.ids.length, found.ids.at(-1), found.isCut]).toEqual([77, 49407, true]);
  expect(found.ids.at(-2)).not.toBe(49407);
});
