import { expect, test } from 'vitest';
import { countSharedWarnings } from '../../../app/studio/recipes/shared-warnings.ts';
import type { BatchItem, ItemState } from '../../../app/studio/runs/batch.ts';

const item = (state: ItemState, id: number): BatchItem => ({ id, file: new File([], `${id}.png`), state });
const done = (...warnings: string[]): ItemState => {
  return { phase: 'done', durationSeconds: 1, result: { files: [], warnings } };
};

test('a warning that several results have in common is counted, for the page to show it once', () => {
  const states = [
    done('It is small.'),
    { phase: 'waiting' } as const,
    done('It is small.', 'It is dark.'),
    done(),
  ];
  expect([...countSharedWarnings(states.map(item))]).toEqual([['It is small.', 2]]);
});
