import { expect, test } from 'vitest';
import { likelySeconds, NO_RUNS, type Pace, RUNS_MIN, withRun } from '../../app/(studio)/pace.ts';

/** A device that needs half a second for any file, and one more for each megabyte. */
const paceOf = (...sizesBytes: number[]): Pace =>
  sizesBytes.reduce((pace, bytes) => withRun(pace, bytes, 0.5 + bytes / 1e6), NO_RUNS);

test('nothing is said before there is enough to go by', () => {
  const few = Array.from({ length: RUNS_MIN - 1 }, () => 1e6);
  expect(likelySeconds(paceOf(...few), 1e6)).toBeUndefined();
});

test('small files and large ones together tell what a start costs and what a megabyte', () => {
  const pace = paceOf(1e5, 1e6, 4e6, 8e6);
  expect(likelySeconds(pace, 1e4)).toBeCloseTo(0.51, 2);
  expect(likelySeconds(pace, 2e7)).toBeCloseTo(20.5, 2);
});

test('files of one size are taken in proportion', () => {
  expect(likelySeconds(paceOf(2e6, 2e6, 2e6), 2e6)).toBeCloseTo(2.5, 6);
  expect(likelySeconds(paceOf(2e6, 2e6, 2e6), 4e6)).toBeCloseTo(5, 6);
});

test('what is never negative stays so, though larger files were faster', () => {
  const pace = [1, 2, 3].reduce((before, size) => withRun(before, size * 1e6, 4 - size), NO_RUNS);
  expect(likelySeconds(pace, 1e7)).toBeCloseTo(2, 6);
});

test('a device that became faster is believed after some time', () => {
  const before = Array.from({ length: 60 }, () => 0).reduce<Pace>((pace) => withRun(pace, 1e6, 8), NO_RUNS);
  const after = Array.from({ length: 120 }, () => 0).reduce<Pace>((pace) => withRun(pace, 1e6, 1), before);
  expect(likelySeconds(after, 1e6)).toBeLessThan(3);
});
