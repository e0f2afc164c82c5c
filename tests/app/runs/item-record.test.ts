import { expect, it } from 'vitest';
import { type ItemRecord, itemOf } from '../../../app/studio/runs/item-record.ts';

const source = new File(['source'], 'a.png');
const blob = new Blob(['result']);
const read = { file: async () => source, result: async () => blob };

/** State of a finished file as an earlier version of the studio stored it. */
const STORED = {
  phase: 'done',
  durationSeconds: 2,
  madeWith: { quality: 70 },
  laterFailure: 'The model could not be loaded.',
  result: { warnings: [], files: [{ name: 'a.webp', mediaType: 'image/webp', storedId: 1 }] },
} as const;

it('a reload finds the settings and the failure that an earlier version stored under other names', async () => {
  const record: ItemRecord = { id: 1, fileKey: 'key', state: STORED };
  expect((await itemOf(record, read))?.state).toEqual({
    phase: 'done',
    durationSeconds: 2,
    resultParams: { quality: 70 },
    rerunError: 'The model could not be loaded.',
    result: { warnings: [], files: [{ name: 'a.webp', mediaType: 'image/webp', blob }] },
  });
});
