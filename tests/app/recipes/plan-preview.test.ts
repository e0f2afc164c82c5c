import { expect, test } from 'vitest';
import type { Draft } from '../../../app/studio/recipes/draft.ts';
import {
  findFailedStep,
  type KnownStep,
  keySteps,
  planPreview,
} from '../../../app/studio/recipes/plan-preview.ts';

const step = (id: string, from: string, params: object = {}) => ({
  id,
  operation: 'convert',
  from,
  params: { to_format: 'png', ...params },
});

const draft: Draft = {
  steps: [step('cut', 'input'), step('large', 'cut'), step('small', 'cut'), step('thumb', 'small')],
};

const known = (of: Draft, failed: readonly string[] = []): ReadonlyMap<string, KnownStep> =>
  new Map([...keySteps(of, 'file')].map(([id, key]) => [id, { key, isFailed: failed.includes(id) }]));

const plan = (of: Draft, before: ReadonlyMap<string, KnownStep>) =>
  planPreview(of, keySteps(of, 'file'), before).map(
    ({ source, steps }) => `${source}: ${steps.map(({ id, from }) => `${id} < ${from}`).join(', ')}`,
  );

test('a new recipe runs whole', () => {
  expect(plan(draft, new Map())).toEqual(['input: cut < input, large < cut, small < cut, thumb < small']);
});

test('after a change only the step and those behind it run, from the file before them', () => {
  const changed = {
    steps: draft.steps.map((each) => (each.id === 'small' ? step('small', 'cut', { width: 9 }) : each)),
  };
  expect(plan(changed, known(draft))).toEqual(['cut: small < input, thumb < small']);
  expect(plan(draft, known(draft))).toEqual([]);
});

test('another file runs everything, and what is behind a failed step waits', () => {
  expect(planPreview(draft, keySteps(draft, 'other'), known(draft))).toHaveLength(1);
  const withoutRest = new Map([...known(draft, ['cut'])].slice(0, 2));
  expect(plan(draft, withoutRest)).toEqual([]);
});

test('an error is told of the step that it names', () => {
  const run = { source: 'input', steps: draft.steps };
  expect(findFailedStep('steps.small: too large', run)).toBe('small');
  expect(findFailedStep('steps[1].params.width: must be at least 1', run)).toBe('large');
  expect(findFailedStep('This device ran out of memory.', run)).toBeUndefined();
});
