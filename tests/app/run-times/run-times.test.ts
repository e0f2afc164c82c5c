import { expect, test } from 'vitest';
import {
  addRun,
  estimateSeconds,
  NO_RUNS,
  RUNS_MIN,
  type RunTimes,
} from '../../../app/(studio)/run-times/run-times.ts';

/** Simulates a device that needs half a second for any file, and one more for each megabyte. */
const paceOf = (...sizesBytes: number[]): RunTimes =>
  sizesBytes.reduce((pace, bytes) => addRun(pace, bytes / 1e6, 0.5 + bytes / 1e6), NO_RUNS);

test('too few runs give no estimate', () => {
  const few = Array.from({ length: RUNS_MIN - 1 }, () => 1e6);
  expect(estimateSeconds(paceOf(...few), 1)).toBeUndefined();
});

test('runs of different sizes give the time to start and the time per megabyte', () => {
  const pace = paceOf(1e5, 1e6, 4e6, 8e6);
  expect(estimateSeconds(pace, 0.01)).toBeCloseTo(0.51, 2);
  expect(estimateSeconds(pace, 20)).toBeCloseTo(20.5, 2);
});

test('runs of one size give an estimate in proportion to the size', () => {
  expect(estimateSeconds(paceOf(2e6, 2e6, 2e6), 2)).toBeCloseTo(2.5, 6);
  expect(estimateSeconds(paceOf(2e6, 2e6, 2e6), 4)).toBeCloseTo(5, 6);
});

test('an estimate is never negative, even when larger files ran faster', () => {
  const pace = [1, 2, 3].reduce((before, size) => addRun(before, size, 4 - size), NO_RUNS);
  expect(estimateSeconds(pace, 10)).toBeCloseTo(2, 6);
});

test('an estimate follows a device that became faster', () => {
  const before = Array.from({ length: 60 }, () => 0).reduce<RunTimes>((pace) => addRun(pace, 1, 8), NO_RUNS);
  const after = Array.from({ length: 120 }, () => 0).reduce<RunTimes>((pace) => addRun(pace, 1, 1), before);
  expect(estimateSeconds(after, 1)).toBeLessThan(3);
});
