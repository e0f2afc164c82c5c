import { expect, test } from 'vitest';
import {
  addRun,
  estimateSeconds,
  NO_RUNS,
  RUNS_MIN,
  type RunTimes,
} from '../../../app/studio/run-times/run-times.ts';

/** Simulates a device that needs half a second for any file, and one more for each megabyte. */
const createRunTimes = (...sizesBytes: number[]): RunTimes =>
  sizesBytes.reduce((times, bytes) => addRun(times, bytes / 1e6, 0.5 + bytes / 1e6), NO_RUNS);

test('too few runs give no estimate', () => {
  const few = Array.from({ length: RUNS_MIN - 1 }, () => 1e6);
  expect(estimateSeconds(createRunTimes(...few), 1)).toBeUndefined();
});

const withinTwo = (seconds: number | undefined, actual: number) => {
  expect(seconds).toBeGreaterThan(actual / 2);
  expect(seconds).toBeLessThan(actual * 2);
};

test('runs of different sizes tell both the time that any file takes and that for each megabyte', () => {
  const times = createRunTimes(1e5, 1e6, 4e6, 8e6);
  withinTwo(estimateSeconds(times, 0.01), 0.51);
  withinTwo(estimateSeconds(times, 20), 20.5);
});

test('runs of one size leave open how much of their time is fixed', () => {
  const times = createRunTimes(2e6, 2e6, 2e6);
  expect(estimateSeconds(times, 2)).toBeCloseTo(2.5, 6);
  expect(estimateSeconds(times, 4)).toBeCloseTo(2.5 * 2 ** 0.7, 6);
  expect(estimateSeconds(times, 1)).toBeCloseTo(2.5 * (0.3 + 0.7 / 2), 6);
});

test('an estimate never falls with the work, even when larger files ran faster', () => {
  const times = [1, 2, 4, 8].reduce((before, size) => addRun(before, size, 8 / size), NO_RUNS);
  expect(estimateSeconds(times, 100)).toBeCloseTo(8 ** 0.5, 6);
  expect(estimateSeconds(times, 0.1)).toBeCloseTo(8 ** 0.5, 6);
});

test('one run that took ten times as long does not mislead about the others', () => {
  const times = [10, 1, 1, 1].reduce((before, seconds) => addRun(before, 5, seconds), NO_RUNS);
  withinTwo(estimateSeconds(times, 5), 1);
});

test('an estimate follows a device that became faster', () => {
  const before = Array.from({ length: 60 }, () => 0).reduce<RunTimes>(
    (times) => addRun(times, 1, 8),
    NO_RUNS,
  );
  const after = Array.from({ length: 120 }, () => 0).reduce<RunTimes>((times) => addRun(times, 1, 1), before);
  expect(estimateSeconds(after, 1)).toBeLessThan(3);
});
