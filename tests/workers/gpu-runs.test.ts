import { expect, test } from 'vitest';
import { GpuRuns } from '../../workers/runtime/inference/gpu-runs.ts';
import { createWeightCard } from '../support/service/weight-files.ts';

const { signal } = new AbortController();
const card = createWeightCard(new Uint8Array([1]));

/** Feeds an image of a size. */
const given = (side: number): Parameters<GpuRuns['add']>[2] => [
  { image: { type: 'float32', dims: [1, 1, side, side], data: new Float32Array(side ** 2) } },
  signal,
  ['matte'],
];

test('the fastest run is one of the shape that is given on, however fast another shape ran', () => {
  const runs = new GpuRuns();
  runs.add(card, 900, given(8));
  runs.add(card, 5, given(2));
  runs.add(card, 300, given(8));
  runs.add(card, 310, given(8));
  runs.add(card, 6, given(2));
  expect(runs.list()).toEqual([{ card, fastestMs: 300, feeds: given(8)[0], wanted: ['matte'] }]);
});

test('the first run of each shape, in which a GPU compiles, is not compared', () => {
  const runs = new GpuRuns();
  for (const side of [2, 4, 8]) runs.add(card, 700, given(side));
  expect(runs.list()).toEqual([]);
});

test('runs that want other outputs are not those of one shape', () => {
  const runs = new GpuRuns();
  const [feeds] = given(2);
  runs.add(card, 700, [feeds, signal, ['matte']]);
  runs.add(card, 10, [feeds, signal, ['detail']]);
  expect(runs.list()).toEqual([]);
});
