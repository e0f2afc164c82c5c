import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showProgress } from '../../../../server/ops/build/build.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells of each step as it begins and ends, and every ten seconds between', async () => {
  const lines: string[] = [];
  const step = showProgress(2, (line) => lines.push(line));
  const pages = step('pages', () => new Promise((resolve) => setTimeout(resolve, 25_000)));
  await vi.advanceTimersByTimeAsync(5_000);
  await step('models', async () => {});
  await vi.advanceTimersByTimeAsync(20_000);
  await pages;
  expect(lines.map((line) => line.trim())).toEqual([
    '[1/2] pages ...',
    '[2/2] models ...',
    'models: done in 0 s',
    'pages: 10 s so far',
    'pages: 20 s so far',
    'pages: done in 25 s',
  ]);
});

it('passes on what a step returns and throws, and falls silent then', async () => {
  const lines: string[] = [];
  const step = showProgress(2, (line) => lines.push(line));
  expect(await step('one', async () => 1)).toBe(1);
  await expect(step('two', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines.at(-1)).toBe('[2/2] two ...');
});
