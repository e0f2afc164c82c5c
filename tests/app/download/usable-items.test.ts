import { expect, test } from 'vitest';
import { usableItems } from '../../../app/studio/download/usable-items.ts';
import type { BatchItem, ItemState } from '../../../app/studio/runs/batch.ts';

const DONE: ItemState = { phase: 'done', durationSeconds: 1, result: { files: [], warnings: [] } };
const FAILED: ItemState = { phase: 'failed', code: 'unprocessable', message: 'No image.' };
const item = (id: number, state: ItemState): BatchItem => ({ id, file: new File([], `${id}.jpg`), state });
const ITEMS = [item(1, DONE), item(2, FAILED), item(3, DONE), item(4, { phase: 'waiting' })];

const idsWithout = (...flawed: readonly number[]) =>
  usableItems(ITEMS, ({ id }) => (flawed.includes(id) ? 'no clear subject' : undefined)).map(({ id }) => id);

test('a download counts results, not files that failed or wait', () => {
  expect(idsWithout()).toEqual([1, 3]);
});

test('a download leaves flawed results out, unless all are', () => {
  expect(idsWithout(1)).toEqual([3]);
  expect(idsWithout(1, 3)).toEqual([1, 3]);
});
