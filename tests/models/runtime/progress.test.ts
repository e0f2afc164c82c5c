import { expect, test } from 'vitest';
import { type Progress, progressParts, progressSpan } from '../../../models/runtime/progress.ts';

test('the progress of a step covers its share of the run, and keeps count and name', () => {
  const reached: Parameters<Progress>[] = [];
  const step = progressSpan((...report) => reached.push(report), 0.25, 0.75);
  const count = { done: 1, total: 2, isGuess: false, unit: 'frame' };
  step(0);
  step(0.5, count, 'encoding');
  step(1);
  expect(reached).toEqual([
    [0.25, undefined, undefined],
    [0.5, count, 'encoding'],
    [0.75, undefined, undefined],
  ]);
});

test('steps can be nested', () => {
  const reached: number[] = [];
  progressSpan(
    progressSpan((fraction) => reached.push(fraction), 0.5, 1),
    0,
    0.5,
  )(1);
  expect(reached).toEqual([0.75]);
});

test('the progress of parts is their mean, counts finished parts as whole, and never falls', () => {
  const reached: number[] = [];
  const part = progressParts((fraction) => reached.push(fraction), 4, 2);
  part(0)(0.5);
  part(1)(1);
  part(0)(0.25);
  part(0)(1);
  expect(reached).toEqual([0.625, 0.875, 0.875, 1]);
});
