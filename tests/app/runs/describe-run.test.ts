import { expect, test } from 'vitest';
import {
  describeProgress,
  describeServerRun,
  describeShortly,
  failureOf,
} from '../../../app/studio/runs/describe-run.ts';

const count = { done: 42, total: 180, isGuess: false, unit: 'frame' };

test.each([
  ['the percentage alone', { fraction: 0.233 }, '23 %'],
  [
    'that a download is running',
    { fraction: 0.4, loading: { receivedBytes: 12, totalBytes: 100 } },
    'loading · 12 %',
  ],
  ['the step on the server', { fraction: 0.4, step: 'working' }, 'working · 40 %'],
  [
    'an estimated share as an estimate',
    { fraction: 0.55, step: 'encoding', isEstimate: true },
    'encoding · about 55 %',
  ],
  ['the step on the device', { fraction: 0.3, step: 'encoding' }, 'encoding · 30 %'],
  [
    'that the file is put together after the last frame',
    { fraction: 1, count: { ...count, done: 180 }, step: 'encoding' },
    'frame 180 of 180 · finishing the file',
  ],
  ['the current frame', { fraction: 0.233, count }, 'frame 42 of 180 · 23 %'],
  [
    'the first part while it is not done',
    { fraction: 0.15, count: { done: 0, total: 6, isGuess: false, unit: 'minute' } },
    'minute 1 of 6 · 15 %',
  ],
  [
    'an estimated total as an estimate',
    { fraction: 0.233, count: { ...count, isGuess: true } },
    'frame 42 of about 180 · 23 %',
  ],
])('a progress label shows %s', (_, progress, words) => {
  expect(describeProgress(progress)).toBe(words);
});

test('a narrow label begins with the share, which is not cut off', () => {
  expect(describeShortly({ fraction: 0.1, step: 'finding the subject' })).toBe('10 % · finding the subject');
  expect(describeShortly({ fraction: 0.1 })).toBe('10 %');
});

test('a file says why its last run failed, also where that left an earlier result', () => {
  const done = { phase: 'done', durationSeconds: 1, result: { files: [], warnings: [] } } as const;
  expect(failureOf({ phase: 'failed', code: 'unprocessable', message: 'No image.' })).toBe('No image.');
  expect(failureOf({ ...done, rerunError: 'The crop is outside.' })).toBe('The crop is outside.');
  expect(failureOf(done)).toBeUndefined();
  expect(failureOf({ phase: 'waiting' })).toBeUndefined();
});

test('the server sends files only where it sells something', () => {
  expect(describeServerRun('', false)).toBe('Files are sent when you press the button, at its price.');
  expect(describeServerRun('Our server uses LaMa.', false)).toMatch(
    /^Files are sent .* Our server uses LaMa\.$/,
  );
  const same = 'Our server would give the same result.';
  expect(describeServerRun(same, true)).toBe(`${same} It runs here, free.`);
});
