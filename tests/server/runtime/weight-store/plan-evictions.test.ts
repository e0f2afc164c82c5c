import { expect, it } from 'vitest';
import { planEvictions, type StoredFile } from '../../../../server/runtime/weight-store/disk-room.ts';

const NOW_MS = 1_000_000;
const file = (
  id: string,
  bytes: number,
  usedAgoMs: number,
  changes: Partial<StoredFile> = {},
): StoredFile => ({
  id,
  path: `/models/${id}`,
  bytes,
  countedBytes: bytes,
  usedAtMs: NOW_MS - usedAgoMs,
  mayGo: true,
  ...changes,
});
const plan = (files: readonly StoredFile[], shortage: { ofLimit?: number; ofDisk?: number }) => {
  const { evicted, isEnough } = planEvictions(files, { ofLimit: 0, ofDisk: 0, ...shortage }, NOW_MS);
  return [evicted.map(({ id }) => id), isEnough];
};
const FILES = [file('new', 100, 10), file('old', 100, 3000), file('middle', 100, 500)];

it('deletes nothing where nothing lacks', () => {
  expect(plan(FILES, { ofLimit: -1, ofDisk: 0 })).toEqual([[], true]);
});

it('deletes the least recently used ones, and no more than needed', () => {
  expect(plan(FILES, { ofLimit: 100 })).toEqual([['old'], true]);
  expect(plan(FILES, { ofLimit: 101 })).toEqual([['old', 'middle'], true]);
  expect(plan(FILES, { ofDisk: 250 })).toEqual([['old', 'middle', 'new'], true]);
});

it('leaves what is in use, or has no other source', () => {
  const files = [file('running', 100, -60_000), file('only here', 100, 9000, { mayGo: false }), ...FILES];
  expect(plan(files, { ofLimit: 301 })).toEqual([['old', 'middle', 'new'], false]);
});

it('frees a whole file of the limit, and on the disk what is there, by an unfinished download', () => {
  const part = file('part', 10, 9000, { countedBytes: 100 });
  expect(plan([part, ...FILES], { ofLimit: 100 })).toEqual([['part'], true]);
  expect(plan([part, ...FILES], { ofDisk: 20 })).toEqual([['part', 'old'], true]);
});
