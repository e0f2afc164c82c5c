import { describe, expect, test } from 'vitest';
import type { BatchItem, FileResult } from '../../../app/studio/runs/batch.ts';
import { getItem, getRecord } from '../../../app/studio/runs/item-record.ts';
import { Batch } from '../../../app/studio/runs/run-batch.ts';
import { expiredTabs } from '../../../app/studio/session/expiry.ts';
import { validValues } from '../../../app/studio/tools/fields.ts';
import { AsyncCache } from '../../../app/ui/async-cache.ts';
import { Cell } from '../../../models/core/cell.ts';

const file = new File(['bytes'], 'holiday.jpg');
const blob = new Blob(['result']);
const result: FileResult = {
  files: [{ name: 'output.png', mediaType: 'image/png', blob }],
  warnings: ['A warning.'],
  engine: 'codec',
};
const done: BatchItem = { id: 7, file, state: { phase: 'done', result, durationSeconds: 2 } };
const stored = { fileKey: () => 'key', storedId: () => 12 };
const read = {
  file: async () => file as File | undefined,
  result: async () => blob as Blob | undefined,
};

describe('the record of a file', () => {
  test('holds no bytes, and gives the same file and result back', async () => {
    const record = getRecord(done, stored);
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
    expect(record && (await getItem(record, read))).toEqual(done);
  });

  test('says of a running file that its run was stopped', () => {
    const running: BatchItem = { ...done, state: { phase: 'running', fraction: 0.4 } };
    expect(getRecord(running, stored)?.state).toEqual({ phase: 'waiting', wasStopped: true });
  });

  test('keeps the reason of a failure', async () => {
    const failed: BatchItem = {
      ...done,
      state: { phase: 'failed', message: 'It is empty.', code: 'unprocessable' },
    };
    const record = getRecord(failed, stored);
    expect(record && (await getItem(record, read))).toEqual(failed);
  });

  test.each([undefined, null])('does not exist without a place for the file: %s', (key) => {
    expect(getRecord(done, { ...stored, fileKey: () => key })).toBeUndefined();
  });

  test.each([undefined, null])('lets a file wait whose result has no place: %s', (id) => {
    expect(getRecord(done, { ...stored, storedId: () => id })?.state).toEqual({ phase: 'waiting' });
  });

  test('lets a file wait whose result was deleted, and drops one whose own bytes were', async () => {
    const record = getRecord(done, stored);
    if (!record) throw new Error('There is no record.');
    const withoutResult = { ...read, result: async () => undefined };
    expect((await getItem(record, withoutResult))?.state).toEqual({ phase: 'waiting' });
    expect(await getItem(record, { ...read, file: async () => undefined })).toBeUndefined();
  });
});

describe('stored sessions', () => {
  const limits = { bytesMax: 100, filesMax: 10, ageMaxMs: 1000 };
  const tab = (id: string, seenAtMs: number, isOpen = false) => ({ id, seenAtMs, bytes: 40, isOpen });

  test('expire with time, but never those of open tabs', () => {
    const tabs = [tab('old', 0), tab('open', 0, true), tab('new', 4500)];
    expect(expiredTabs(tabs, 5000, 0, limits)).toEqual(['old']);
  });

  test('make room for a new file, the oldest first and no more than needed', () => {
    const tabs = [tab('second', 4200), tab('first', 4100), tab('open', 4000, true)];
    expect(expiredTabs(tabs, 5000, 0, limits)).toEqual(['first']);
    expect(expiredTabs(tabs, 5000, 40, limits)).toEqual(['first', 'second']);
    expect(expiredTabs(tabs.slice(0, 2), 5000, 10, limits)).toEqual([]);
  });
});

describe('a batch', () => {
  const unused = () => Promise.reject(new Error('Nothing runs here.'));

  test('puts files back in their places, each once', () => {
    const batch = new Batch(unused, 1);
    batch.add(['a', 'b', 'c'].map((name) => new File([], name)));
    const { items } = batch.view();
    batch.removeAll();
    expect(batch.view().items).toEqual([]);
    batch.restore(items.slice(1));
    batch.restore(items);
    expect(batch.view().items).toEqual(items);
  });

  test('gives new files other ids than those of an earlier page', () => {
    const batch = new Batch(unused, 1, 1000);
    batch.restore([done]);
    expect(batch.add([file])).toBe(1001);
    expect(batch.view().items.map(({ id }) => id)).toEqual([7, 1001]);
  });
});

test('a cell tells its listeners of changes alone', () => {
  const cell = new Cell(1);
  const heard: number[] = [];
  const leave = cell.subscribe(() => heard.push(cell.get()));
  cell.set(1);
  cell.set((before) => before + 1);
  leave();
  cell.set(5);
  expect([heard, cell.get()]).toEqual([[2], 5]);
});

test('a look-up asks once for each key, until the key is dropped', async () => {
  let asked = 0;
  const heard: (number | undefined)[] = [];
  const key = {};
  const lookup = new AsyncCache<object, number>(
    async () => ++asked,
    () => heard.push(lookup.get(key)),
  );
  expect([lookup.get(key), lookup.get(key)]).toEqual([undefined, undefined]);
  await lookup.wait(key);
  expect([heard, lookup.get(key)]).toEqual([[1], 1]);
  lookup.drop(key);
  lookup.get(key);
  await expect.poll(() => heard).toEqual([1, 2]);
});

test('kept settings give way where they are no longer offered', () => {
  const fields = [
    { kind: 'choice', name: 'to_format', values: ['jpg', 'png'], initial: 'jpg' },
    { kind: 'range', name: 'quality', min: 1, max: 100, step: 1, initial: 92 },
  ] as const;
  const own = { to_format: 'png', quality: 40 };
  expect(validValues(fields, own)).toBe(own);
  expect(validValues(fields, { to_format: 'heic', quality: 40 })).toEqual({
    to_format: 'jpg',
    quality: 40,
  });
  expect(validValues(fields, { to_format: 'png' })).toEqual({ to_format: 'png', quality: 92 });
});
