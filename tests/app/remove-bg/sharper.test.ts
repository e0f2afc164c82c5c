import { describe, expect, test } from 'vitest';
import { describeEngineFailure } from '../../../app/studio/failures/describe-failure.ts';
import {
  addTrial,
  getLowConfidence,
  NOTHING_TRIED,
  nextToSharpen,
  planSharper,
} from '../../../app/studio/remove-bg/plan-sharper.ts';
import type { BatchItem, FileResult, ItemState, RunRequest } from '../../../app/studio/runs/batch.ts';
import { completeHandling } from '../../../app/studio/runs/file-handling.ts';
import { Batch } from '../../../app/studio/runs/run-batch.ts';
import { type ShownFile, showFiles } from '../../../app/studio/runs/shown-files.ts';
import type { Fit, RunFit } from '../../../models/core/runtime/fit.ts';
import { REMOVE_BG_WEIGHTS } from '../../../models/matting/weights.ts';

const CARD = REMOVE_BG_WEIGHTS.u2netp;
const BETTER = CARD.id;
const DOWNLOAD: Fit = { verdict: 'download', bytes: 1e8, isKept: true };
const getFit = (better: Fit): RunFit => ({ run: { verdict: 'here' }, engines: new Map([[BETTER, better]]) });

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
const asked = { state: HARD, fit: getFit(DOWNLOAD), consent: undefined, isMetered: false } as const;
const getStep = (part: Partial<Parameters<typeof planSharper>[0]>) =>
  planSharper({ ...asked, ...part })?.step;

describe('the plan for a hard image', () => {
  test('fetches a small model without a question, and only offers it after a no', () => {
    expect(planSharper(asked)).toMatchObject({ step: 'fetch', engine: { id: BETTER } });
    expect([getStep({ consent: 'yes' }), getStep({ consent: 'no' })]).toEqual(['fetch', 'offer']);
  });

  test('asks once for a model of more than 8 MB, fetches it after a yes, and only offers it after a no', () => {
    const { bytes } = CARD;
    Object.assign(CARD, { bytes: 8_000_001 });
    try {
      expect(planSharper(asked)).toMatchObject({ step: 'ask', engine: { id: BETTER } });
      expect([getStep({ consent: 'yes' }), getStep({ consent: 'no' })]).toEqual(['fetch', 'offer']);
    } finally {
      Object.assign(CARD, { bytes });
    }
  });

  test('downloads nothing on a metered connection, but uses what is stored', () => {
    expect(getStep({ isMetered: true, consent: 'yes' })).toBe('metered');
    expect(getStep({ isMetered: true, consent: 'yes', fit: getFit({ verdict: 'here' }) })).toBe('fetch');
  });

  test('names no model whose licence is in doubt', () => {
    const engines = new Map([['isnet-general-use', DOWNLOAD]]);
    expect(getStep({ fit: { run: { verdict: 'here' }, engines } })).toBeUndefined();
  });

  test('names no model that does not fit, is unknown, or ran on the server', () => {
    expect(getStep({ fit: getFit({ verdict: 'server', reason: 'Too large.' }) })).toBeUndefined();
    expect(getStep({ fit: undefined })).toBeUndefined();
    const server = { sentBytes: 1, chargedUsd: '0.01' };
    const sent = { ...HARD, result: { ...(HARD.phase === 'done' && HARD.result), server } } as ItemState;
    expect(getStep({ state: sent })).toBeUndefined();
  });

  test('asks nothing for an image that a few strokes fix, or that has no flaw', () => {
    expect([getStep({ state: done('medium') }), getStep({ state: done('high') })]).toEqual([
      'offer',
      undefined,
    ]);
    expect([
      getLowConfidence(done('medium')),
      getLowConfidence(done('high')),
      getLowConfidence(HARD),
    ]).toEqual(['uneven', null, 'hard']);
    expect(getLowConfidence(done('low', { subjects_detected: 0 }))).toBe('no subject');
  });
});

test('while a file runs again its earlier result stays in view', async () => {
  let end = (): void => {};
  const results = [HARD, done('high')].map((state) => (state.phase === 'done' ? state.result : undefined));
  const batch = new Batch(async () => {
    const result = results.shift();
    if (results.length === 0) await new Promise<void>((resolve) => (end = resolve));
    return result as FileResult;
  }, 1);
  const order: RunRequest = { paramsFor: () => ({}), location: 'device' };
  const id = batch.add([new File(['x'], 'a.jpg')]);
  await batch.start(order);
  const shown = () =>
    showFiles(batch, completeHandling({}, []), {}, null).getShown(batch.view().items[0] as BatchItem);
  const getMatte = ({ item: { state } }: ShownFile) => state.phase === 'done' && state.result.details;
  expect([shown().renewal, getMatte(shown())]).toEqual([
    undefined,
    expect.objectContaining({ matte_quality: 'low' }),
  ]);
  const rerun = batch.rerun(order, [id]);
  expect([shown().renewal, getMatte(shown())]).toEqual([
    expect.objectContaining({ fraction: 0 }),
    expect.objectContaining({ matte_quality: 'low' }),
  ]);
  await Promise.resolve();
  end();
  await rerun;
  expect([shown().renewal, getMatte(shown())]).toEqual([
    undefined,
    expect.objectContaining({ matte_quality: 'high' }),
  ]);
});

test.each([
  ['model_unreachable', /^ISNet could not be downloaded/, true],
  ['model_damaged', /^ISNet arrived damaged/, true],
  ['storage_full', /^ISNet was not stored/, true],
  ['model_unusable', /^ISNet could not run on this device/, false],
  ['out_of_memory', /^ISNet could not run on this device/, false],
  [undefined, /^ISNet failed here: something went wrong in Darkroom\./, true],
] as const)('a failure of kind %s is told in words for the visitor', (kind, reason, mayRetry) => {
  expect(describeEngineFailure('ISNet', kind)).toEqual({
    reason: expect.stringMatching(reason),
    mayRetry,
  });
});

test('a failure that has nothing to do with the model is not put down to it', () => {
  expect(describeEngineFailure('ISNet', 'not_written')).toBeNull();
});
describe('the images that run again by themselves', () => {
  const item = (id: number, state: ItemState = HARD) => ({ id, file: new File(['x'], `${id}.jpg`), state });
  const items = [item(1, done('high')), item(2), item(3)];
  const fits = new Map([1, 2, 3].map((id) => [id, getFit(DOWNLOAD)] as const));
  const options = { history: NOTHING_TRIED, saved: [], fits, consent: undefined, isMetered: false } as const;
  const sharp: ItemState = {
    ...HARD,
    result: { files: [], warnings: [], engine: `${BETTER} on wasm` },
  } as ItemState;

  test('are the hard ones, one after the other and once each', () => {
    const first = nextToSharpen(items, options);
    expect(first).toEqual({ id: 2, engine: BETTER });
    const history = addTrial(NOTHING_TRIED, { id: 2, engine: BETTER }, sharp);
    expect(nextToSharpen(items, { ...options, history })?.id).toBe(3);
  });

  test('are none whose result was downloaded', () => {
    expect(nextToSharpen(items, { ...options, saved: [2, 3] })).toBeUndefined();
  });

  test('are none after the model has failed once', () => {
    const history = addTrial(NOTHING_TRIED, { id: 2, engine: BETTER }, HARD);
    expect(nextToSharpen(items, { ...options, history })).toBeUndefined();
  });
});
