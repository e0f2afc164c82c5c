import { expect, test } from 'vitest';
import { loadingProgress, summedProgress } from '../../models/core/runtime/progress.ts';

const received = (receivedBytes: number, totalBytes: number) =>
  loadingProgress({ receivedBytes, totalBytes });

test('the complete download is reported as exactly 1, however small its parts, and progress never falls', () => {
  const shown: number[] = [];
  const part = summedProgress(({ fraction }) => shown.push(fraction));
  const sizes = [3_458_654, 14_239_897];
  const reports = sizes.map((bytes) => ({ bytes, report: part(bytes) }));
  for (let at = 1; at <= 1000; at++) {
    for (const { bytes, report } of reports) report(received((bytes * at) / 1000, bytes));
  }
  expect(shown).toEqual(shown.toSorted((one, other) => one - other));
  expect(shown.at(-1)).toBe(1);
});

test('files already stored are not reported', () => {
  const shown: object[] = [];
  const part = summedProgress((progress) => shown.push(progress));
  const stored = part(0);
  const program = part(100);
  stored(received(7, 7));
  for (const bytes of [50, 25, 100]) program(received(bytes, 100));
  expect(shown).toEqual([received(50, 100), received(100, 100)]);
});
