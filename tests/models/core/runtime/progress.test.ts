import { expect, test } from 'vitest';
import {
  loadedShare,
  loadingProgress,
  type Progress,
  progressParts,
  progressSpan,
} from '../../../../models/core/runtime/progress.ts';

test('the progress of a part covers its share of the run, and keeps everything else', () => {
  const reached: Progress[] = [];
  const part = progressSpan((progress) => reached.push(progress), 0.25, 0.75);
  const count = { done: 1, total: 2, isGuess: false, unit: 'frame' };
  const loading = { receivedBytes: 1, totalBytes: 2 };
  part({ fraction: 0 });
  part({ fraction: 0.5, count, step: 'encoding', loading });
  part({ fraction: 1 });
  expect(reached).toEqual([
    { fraction: 0.25 },
    { fraction: 0.5, count, step: 'encoding', loading },
    { fraction: 0.75 },
  ]);
});

test('parts can be nested', () => {
  const reached: Progress[] = [];
  progressSpan(
    progressSpan((progress) => reached.push(progress), 0.5, 1),
    0,
    0.5,
  )({ fraction: 1 });
  expect(reached).toEqual([{ fraction: 0.75 }]);
});

test('the progress of equal parts is their mean, counts finished parts as whole, and never falls', () => {
  const reached: number[] = [];
  const part = progressParts(({ fraction }) => reached.push(fraction), 4, 2);
  part(0)({ fraction: 0.5 });
  part(1)({ fraction: 1 });
  part(0)({ fraction: 0.25 });
  part(0)({ fraction: 1 });
  expect(reached).toEqual([0.625, 0.875, 0.875, 1]);
});

test.each([
  [{ receivedBytes: 30, totalBytes: 120 }, 0.25],
  [{ receivedBytes: 130, totalBytes: 120 }, 1],
  [{ receivedBytes: 30, totalBytes: null }, 0],
])('the loaded share of %o is %d', (loading, share) => {
  expect(loadedShare(loading)).toBe(share);
  expect(loadingProgress(loading)).toEqual({ fraction: share, loading });
});
