import { expect, it } from 'vitest';
import { findBannedWords, parseAllowedWords } from '../../lab/support/banned-words.ts';

const ALLOWED = parseAllowedWords('# A user of the system.\nserver/home.ts: nobody\ndocs/: whoever\n');

it.each([
  'Whoever calls it',
  'nobody waits',
  'it starts anew',
  'a folder of its own',
  'it is said to be damaged',
  'the service answers',
  'a thousand million bytes',
])('"%s" is found, with its line', (text) => {
  expect(findBannedWords('server/a.ts', `first\n// ${text}.`, ALLOWED)).toEqual([
    expect.stringMatching(/^server\/a\.ts:2: ".+": write ./),
  ]);
});

it('a term is allowed in its file or folder, and nowhere else', () => {
  expect(findBannedWords('server/home.ts', 'runs as nobody', ALLOWED)).toEqual([]);
  expect(findBannedWords('docs/a.md', 'Whoever reads', ALLOWED)).toEqual([]);
  expect(findBannedWords('server/home.ts', 'whoever', ALLOWED)).toHaveLength(1);
  expect(findBannedWords('server/home.ts.md', 'nobody', ALLOWED)).toHaveLength(1);
});

it('parts of other words are no hits', () => {
  expect(findBannedWords('a.ts', 'besides, renewed, answerable', [])).toEqual([]);
});
