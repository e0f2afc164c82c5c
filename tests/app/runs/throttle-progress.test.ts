import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import { throttleProgress } from '../../../workers/bridge/until-end.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns what takes reports, and the fractions that were taken. */
function pace(ended = new AbortController().signal) {
  const taken: number[] = [];
  return { taken, report: throttleProgress(ended, ({ fraction }) => taken.push(fraction)) };
}

const encoding = (fraction: number): Progress => ({ fraction, step: 'encoding' });

test('of a thousand reports that waited for a busy page the first and the last are taken', async () => {
  const { taken, report } = pace();
  for (let row = 0; row < 1000; row++) report(encoding(row / 1000));
  expect(taken).toEqual([0]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(taken).toEqual([0, 0.999]);
});

test('the first report of each step is taken at once, and none of the step before follows it', async () => {
  const { taken, report } = pace();
  report({ fraction: 0, step: 'decoding' });
  report({ fraction: 0.2, step: 'decoding' });
  report(encoding(0.3));
  await vi.advanceTimersByTimeAsync(1000);
  expect(taken).toEqual([0, 0.3]);
});

test('the end is taken at once, since the run is over before a pause is', () => {
  const { taken, report } = pace();
  for (const fraction of [0, 0.5, 1, 1]) report(encoding(fraction));
  expect(taken).toEqual([0, 1]);
});

test('slow reports are all taken', async () => {
  const { taken, report } = pace();
  for (const fraction of [0.1, 0.2, 0.3]) {
    report(encoding(fraction));
    await vi.advanceTimersByTimeAsync(60);
  }
  expect(taken).toEqual([0.1, 0.2, 0.3]);
});

test('nothing is taken after the end', async () => {
  const ended = new AbortController();
  const { taken, report } = pace(ended.signal);
  report(encoding(0.1));
  report(encoding(0.2));
  ended.abort();
  await vi.advanceTimersByTimeAsync(1000);
  expect(taken).toEqual([0.1]);
});
