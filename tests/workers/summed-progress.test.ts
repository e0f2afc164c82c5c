import { expect, test } from 'vitest';
import { summedProgress } from '../../workers/runtime/inference/summed-progress.ts';

test('the complete download is reported as exactly 1, however small the steps, and progress never falls', () => {
  const shown: number[] = [];
  const part = summedProgress((fraction) => shown.push(fraction));
  const sizes = [3_458_654, 14_239_897];
  const reports = sizes.map((bytes) => part(bytes));
  for (let step = 1; step <= 1000; step++) for (const report of reports) report(step / 1000);
  expect(shown).toEqual(shown.toSorted((one, other) => one - other));
  expect(shown.at(-1)).toBe(1);
});

test('files already stored are not reported', () => {
  const shown: number[] = [];
  const part = summedProgress((fraction) => shown.push(fraction));
  const stored = part(0);
  const program = part(100);
  stored(1);
  program(0.5);
  program(0.25);
  program(1);
  expect(shown).toEqual([0.5, 1]);
});
