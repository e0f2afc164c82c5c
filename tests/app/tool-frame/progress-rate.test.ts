import { expect, test } from 'vitest';
import { ProgressRate } from '../../../app/studio/tool-frame/progress-rate.ts';

/** Returns the estimate after steps of a fraction each, so many milliseconds apart. */
function leftAfter(
  rate: ProgressRate,
  steps: number,
  fraction: number,
  everyMs: number,
  from = { fraction: 0, atMs: 0 },
) {
  let left: number | undefined;
  for (let step = 1; step <= steps; step++)
    left = rate.secondsLeft(from.fraction + step * fraction, from.atMs + step * everyMs);
  return left;
}

test('a steady run has the time left that its rate gives', () => {
  const rate = new ProgressRate();
  rate.secondsLeft(0, 0);
  expect(leftAfter(rate, 50, 0.01, 1000)).toBeCloseTo(50);
});

test('the estimate follows the last seconds, not the mean since the start', () => {
  const rate = new ProgressRate();
  rate.secondsLeft(0, 0);
  leftAfter(rate, 10, 0.04, 100);
  const left = leftAfter(rate, 60, 0.001, 1000, { fraction: 0.4, atMs: 1000 });
  expect(left).toBeCloseTo(540, 0);
});

test('slow steps give an estimate, which grows while nothing moves', () => {
  const rate = new ProgressRate();
  rate.secondsLeft(0, 0);
  expect(leftAfter(rate, 2, 0.01, 20_000)).toBeCloseTo(98 * 20);
  expect(rate.secondsLeft(0.02, 60_000)).toBeGreaterThan(98 * 20);
});

test('without a step, or soon after the start, there is no estimate', () => {
  const rate = new ProgressRate();
  expect(rate.secondsLeft(0, 0)).toBeUndefined();
  expect(rate.secondsLeft(0, 5000)).toBeUndefined();
  expect(new ProgressRate().secondsLeft(0.3, 10)).toBeUndefined();
});

test('one jump gives no estimate, however long nothing follows it', () => {
  const rate = new ProgressRate();
  rate.secondsLeft(0, 0);
  expect(leftAfter(rate, 1, 0.05, 1000)).toBeUndefined();
  expect(rate.secondsLeft(0.05, 4000)).toBeUndefined();
  expect(rate.secondsLeft(0.5, 5000)).toBeCloseTo((0.5 * 4) / 0.45);
});

test('what a run takes to start is no part of its rate', () => {
  const rate = new ProgressRate();
  rate.secondsLeft(0, 0);
  expect(leftAfter(rate, 2, 0.01, 2000, { fraction: 0.01, atMs: 18_000 })).toBeCloseTo(97 * 2);
  expect(rate.secondsLeft(0.04, 24_000)).toBeCloseTo(96 * 2);
});

test('another run starts over', () => {
  const rate = new ProgressRate();
  rate.secondsLeft(0, 0);
  leftAfter(rate, 5, 0.1, 1000);
  expect(rate.secondsLeft(0, 6000)).toBeUndefined();
});
