import { expect, test } from 'vitest';
import type { DoneState } from '../../../app/studio/runs/batch.ts';
import { gainsOnServer } from '../../../app/studio/runs/file-handling.ts';

const DONE: DoneState = { phase: 'done', durationSeconds: 1, result: { files: [], warnings: [] } };
const PAID: DoneState = { ...DONE, result: { ...DONE.result, server: { sentBytes: 1, chargedUsd: '0.02' } } };

test('a file that this device finished has a price on the server, once', () => {
  expect(gainsOnServer(DONE, undefined)).toBe(true);
  expect(gainsOnServer(PAID, undefined)).toBe(false);
});

test('one of which the server finds no more has none', () => {
  expect(gainsOnServer(DONE, () => false)).toBe(false);
  expect(gainsOnServer(DONE, () => true)).toBe(true);
  expect(gainsOnServer({ phase: 'waiting' }, undefined)).toBe(false);
});
