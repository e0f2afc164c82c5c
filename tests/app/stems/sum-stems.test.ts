import { expect, test } from 'vitest';
import type { DoneState } from '../../../app/studio/runs/batch.ts';
import { needsFour, needsSum, planSum, withStems } from '../../../app/studio/stems/sum-stems.ts';

const stem = (name: string) => ({ name: `${name}.wav`, mediaType: 'audio/wav', blob: new Blob([name]) });

const FOUR: DoneState = {
  phase: 'done',
  durationSeconds: 12.5,
  resultParams: { stems: 'four' },
  result: {
    files: ['vocals', 'drums', 'bass', 'other'].map(stem),
    warnings: [],
    details: { key: 'A minor' },
  },
};

test('two stems are made of four that are there, and the four come back', () => {
  expect(needsSum(FOUR, { stems: 'two' })).toBe(true);
  expect(needsSum(FOUR, { stems: 'four' })).toBe(false);
  const { vocals, others } = planSum(FOUR);
  expect(others.map(({ name }) => name)).toEqual(['drums.wav', 'bass.wav', 'other.wav']);
  const two = withStems(FOUR, [vocals, stem('no_vocals')], { stems: 'two' });
  expect(two).toMatchObject({ resultParams: { stems: 'two' }, result: { details: { key: 'A minor' } } });
  expect(needsSum(two, { stems: 'two' })).toBe(false);
  expect(needsFour(two, { stems: 'four' }, FOUR)).toBe(true);
});

test('two stems of a run of their own need a run for four', () => {
  const own: DoneState = {
    ...FOUR,
    durationSeconds: 3,
    result: { files: ['vocals', 'no_vocals'].map(stem), warnings: [] },
  };
  expect(needsFour(own, { stems: 'four' }, undefined)).toBe(false);
  expect(needsFour(own, { stems: 'four' }, FOUR)).toBe(false);
  expect(needsSum({ phase: 'waiting' }, { stems: 'two' })).toBe(false);
});
