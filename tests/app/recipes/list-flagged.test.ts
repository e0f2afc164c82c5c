import { expect, test } from 'vitest';
import { listFlagged } from '../../../app/studio/recipes/list-flagged.ts';

test('a run names the steps that have flagged its file', () => {
  const steps = { safe: { flagged: true }, web: {}, other: { flagged: false } };
  const list = (details: object) => listFlagged({ files: [], warnings: [], details: { ...details } });
  expect(list({ steps })).toEqual(['Flagged by safe.']);
  expect(list({ steps, stopped_by: 'safe' })).toEqual(['Flagged by safe, and stopped there.']);
  expect(list({})).toEqual([]);
});
