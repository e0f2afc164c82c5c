import { expect, test } from 'vitest';
import type { BatchItem } from '../../../app/studio/runs/batch.ts';
import { paidFiles, runnableFiles } from '../../../app/studio/runs/totals.ts';
import type { Fit } from '../../../models/core/runtime/fit.ts';

const item = (id: number): BatchItem => ({ id, file: new File([], 'a.jpg'), state: { phase: 'waiting' } });
const ITEMS = [item(1), item(2), item(3)];
const priceWithout = (...refused: readonly number[]) => ({ refused: new Set(refused) });

test('a price pays for the files that the server takes', () => {
  expect(paidFiles(ITEMS, priceWithout(2)).map(({ id }) => id)).toEqual([1, 3]);
});

test('all files are named until the price is known, and where it pays for none', () => {
  for (const price of [undefined, null, priceWithout(), priceWithout(1, 2, 3)]) {
    expect(paidFiles(ITEMS, price)).toEqual(ITEMS);
  }
});

test('files that no place can run are not among those that run, unless there are no others', () => {
  const fits = (...verdicts: readonly ('here' | 'nowhere')[]) =>
    new Map(verdicts.map((verdict, at) => [at + 1, { run: { verdict } as Fit }] as const));
  const ids = (known: ReturnType<typeof fits>) => runnableFiles(ITEMS, known).map(({ id }) => id);
  expect(ids(fits('here', 'nowhere'))).toEqual([1, 3]);
  expect(ids(fits())).toEqual([1, 2, 3]);
  expect(ids(fits('nowhere', 'nowhere', 'nowhere'))).toEqual([1, 2, 3]);
});
