import { expect, test } from 'vitest';
import { progressWords } from '../../app/(studio)/frame/progress-words.ts';

const count = { done: 42, total: 180, isGuess: false, unit: 'frame' };

test.each([
  ['how far it is alone', { fraction: 0.233 }, '23 %'],
  ['that it waits for what it has to load', { fraction: 0.12, isLoading: true }, 'loading · 12 %'],
  ['what the server does', { fraction: 0.4, step: 'working' }, 'working 40 %'],
  ['which part it is at', { fraction: 0.233, count }, 'frame 42 of 180 · 23 %'],
  ['a guess as one', { fraction: 0.233, count: { ...count, isGuess: true } }, 'frame 42 of about 180 · 23 %'],
])('it says %s', (_, progress, words) => {
  expect(progressWords(progress)).toBe(words);
});
