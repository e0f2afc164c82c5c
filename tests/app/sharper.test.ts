import { describe, expect, test } from 'vitest';
import type { ItemState } from '../../app/(studio)/batch/batch.ts';
import { describeEngineFailure } from '../../app/(studio)/batch/describe-engine-failure.ts';
import { doubtOf, planSharper, shownItem } from '../../app/(studio)/remove-bg/sharper.ts';
import type { Fit, RunFit } from '../../models/device-fit.ts';

const ISNET = 'isnet-general-use';
const DOWNLOAD: Fit = { verdict: 'download', bytes: 1e8, isKept: true };
const fitOf = (isnet: Fit): RunFit => ({ run: { verdict: 'here' }, engines: new Map([[ISNET, isnet]]) });

function done(quality: string, details: object = { subjects_detected: 1 }): ItemState {
  const result = {
    files: [],
    warnings: [],
    engine: 'matte on wasm',
    details: { ...details, matte_quality: quality },
  };
  return { phase: 'done', durationSeconds: 1, result };
}

const HARD = done('low');
const asked = { state: HARD, fit: fitOf(DOWNLOAD), consent: undefined, isMetered: false } as const;
const stepOf = (part: Partial<Parameters<typeof planSharper>[0]>) => planSharper({ ...asked, ...part })?.step;

describe('the plan for a hard image', () => {
  test('asks once, fetches after a yes, and only offers after a no', () => {
    expect(planSharper(asked)).toMatchObject({ step: 'ask', engine: { id: ISNET, name: 'ISNet' } });
    expect([stepOf({ consent: 'yes' }), stepOf({ consent: 'no' })]).toEqual(['fetch', 'offer']);
  });

  test('downloads nothing on a metered connection, but uses what is stored', () => {
    expect(stepOf({ isMetered: true, consent: 'yes' })).toBe('metered');
    expect(stepOf({ isMetered: true, consent: 'yes', fit: fitOf({ verdict: 'here' }) })).toBe('fetch');
  });

  test('names no model that does not fit, is unknown, or ran on the server', () => {
    expect(stepOf({ fit: fitOf({ verdict: 'server', reason: 'Too large.' }) })).toBeUndefined();
    expect(stepOf({ fit: undefined })).toBeUndefined();
    const server = { sentBytes: 1, chargedUsd: '0.01' };
    const sent = { ...HARD, result: { ...(HARD.phase === 'done' && HARD.result), server } } as ItemState;
    expect(stepOf({ state: sent })).toBeUndefined();
  });

  test('asks nothing for an image that a few strokes mend, or that has no flaw', () => {
    expect([stepOf({ state: done('medium') }), stepOf({ state: done('high') })]).toEqual([
      'offer',
      undefined,
    ]);
    expect([doubtOf(done('medium')), doubtOf(done('high')), doubtOf(HARD)]).toEqual(['uneven', null, 'hard']);
    expect(doubtOf(done('low', { subjects_detected: 0 }))).toBe('no subject');
  });
});

test('while a file runs again its earlier result stays in view', () => {
  const running: ItemState = { phase: 'running', fraction: 0.2 };
  const item = { id: 1, file: new File(['x'], 'a.jpg'), state: running };
  expect(shownItem(item, () => HARD)).toEqual({ shown: { ...item, state: HARD }, rerun: running });
  expect(shownItem(item, () => undefined)).toEqual({ shown: item, rerun: undefined });
  const ended = { ...item, state: done('high') };
  expect(shownItem(ended, () => HARD)).toEqual({ shown: ended, rerun: undefined });
});

test.each([
  [
    'isnet: the weights cannot be downloaded: example.com cannot be reached (ENOTFOUND).',
    /^ISNet could not be downloaded/,
    true,
  ],
  ['isnet: this browser has no more storage for its 179 MB.', /^ISNet was not stored/, true],
  ['No engine can run the model: webgpu failed.', /^ISNet could not run on this device/, false],
])('the failure %s is told in words for the visitor', (message, reason, mayRetry) => {
  expect(describeEngineFailure('ISNet', message)).toEqual({
    reason: expect.stringMatching(reason),
    mayRetry,
  });
});
