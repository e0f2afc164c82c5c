import { expect, test } from 'vitest';
import type { BatchItem } from '../../../app/studio/runs/batch.ts';
import { paidFiles } from '../../../app/studio/runs/totals.ts';

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
