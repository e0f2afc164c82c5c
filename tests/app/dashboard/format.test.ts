import { expect, test } from 'vitest';
import { nextPage, pathWithNext } from '../../../app/account/next-page.ts';
import { describeProblem } from '../../../app/dashboard/parts/format.ts';
import { scaleTop, stackDays } from '../../../app/dashboard/usage/spending.ts';

const LABELS = { amountUsd: 'Other amount', 'automatic.threshold': 'Threshold' };

test.each([
  [JSON.stringify([{ path: ['amountUsd'], message: 'must be above 0.' }]), 'Other amount: must be above 0.'],
  ['automatic.threshold: must be above 0.', 'Threshold: must be above 0.'],
  ['Too many requests: wait.', 'Too many requests: wait.'],
  ['[', '['],
])('a problem names the label of its field: %s', (message, sentence) => {
  expect(describeProblem({ message }, LABELS)).toBe(sentence);
});

test.each([
  [0n, 1n],
  [2_000n, 2_000n],
  [2_001n, 5_000n],
  [7_460_000n, 10_000_000n],
])('a chart of at most %s millionths has a scale up to %s', (most, top) => {
  expect(scaleTop(most)).toBe(top);
});

test('bars of a day stand on one another, as shares of the scale', () => {
  const row = { day: '2026-11-23', key: 'Studio', jobs: 1 };
  const rows = [
    { ...row, modelId: 'upscale', chargedMicroUsd: '3000' },
    { ...row, modelId: 'remove-bg', chargedMicroUsd: '1000' },
  ];
  const { bars, top } = stackDays(rows, ['2026-11-22', '2026-11-23'], ['remove-bg', 'upscale']);
  expect(top).toBe(5_000n);
  expect(bars).toMatchObject([
    { micro: 0n, parts: [] },
    {
      micro: 4_000n,
      parts: [
        { modelId: 'remove-bg', base: 0, height: 0.2 },
        { modelId: 'upscale', base: 0.2, height: 0.6 },
      ],
    },
  ]);
});

test('a sign-in leads to the page that was asked for, and to no other site', () => {
  const page = '/dashboard/jobs?job=upscale_1';
  const { searchParams } = new URL(pathWithNext('/sign-in', page), 'http://localhost');
  expect(nextPage(searchParams.get('next'))).toBe(page);
  expect(pathWithNext('/sign-up', '/dashboard')).toBe('/sign-up');
  for (const bad of [
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    'https://evil.example',
    undefined,
  ]) {
    expect(nextPage(bad)).toBe('/dashboard');
  }
});
