import { describe, expect, test } from 'vitest';
import {
  loadedShare,
  loadingProgress,
  type Progress,
  progressParts,
  progressSpan,
  type Steps,
  steps,
} from '../../../../models/core/runtime/progress.ts';
import * as convert from '../../../../models/operations/convert/run.ts';
import * as diarize from '../../../../models/operations/diarize/run.ts';
import * as outpaint from '../../../../models/operations/extend/run.ts';
import * as moderation from '../../../../models/operations/moderate/run.ts';
import * as removeBg from '../../../../models/operations/remove-bg/run.ts';
import * as removeBgVideo from '../../../../models/operations/remove-bg/run-video.ts';
import * as stems from '../../../../models/operations/stems/run.ts';
import * as upscaleImage from '../../../../models/operations/upscale/run-image.ts';
import * as upscaleVideo from '../../../../models/operations/upscale/run-video.ts';
import type { OperationId } from '../../../../models/registry.ts';

const STEPS: Readonly<Record<OperationId, readonly Steps[]>> = {
  'audio-diarize': [diarize.BUNDLED_STEPS, diarize.HUB_STEPS],
  'audio-separate-stems': [stems.STEPS, stems.DEMUCS_STEPS],
  'image-moderation': [moderation.STEPS],
  'image-outpaint': [outpaint.STEPS, outpaint.RESULT_STEPS],
  'media-convert-image': [convert.STEPS],
  'remove-bg': [removeBg.STEPS, removeBgVideo.STEPS],
  upscale: [upscaleImage.STEPS, upscaleVideo.STEPS],
};

test.each(Object.entries(STEPS))('the shares of the steps of %s sum to 1', (_, lists) => {
  for (const { shares } of lists) {
    const values = Object.values<number>(shares);
    expect(values.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    expect(Math.min(...values)).toBeGreaterThan(0);
  }
});

describe('steps', () => {
  test.each([
    ['sum to less than 1', { decoding: 0.3, encoding: 0.6 }, /sum to 0\.\d+ instead of 1/],
    ['sum to more than 1', { decoding: 0.5, encoding: 0.6 }, /sum to 1\.1 instead of 1/],
    ['are not all positive', { decoding: 0, encoding: 1 }, /"decoding" has no share/],
  ])('are refused when their shares %s', (_, shares, message) => {
    expect(() => steps(shares)).toThrow(message);
  });

  test('report their names and where they begin, and cover their shares', async () => {
    const told: Progress[] = [];
    const { step } = steps({ decoding: 0.25, encoding: 0.75 }).of((progress) => told.push(progress));
    const count = { done: 1, total: 2, isGuess: false, unit: 'frame' };
    expect(await step('decoding', async () => 'picture')).toBe('picture');
    await step('encoding', async (progress) => progress({ fraction: 0.5, count }));
    expect(told).toEqual([
      { fraction: 0, step: 'decoding' },
      { fraction: 0.25, step: 'encoding' },
      { fraction: 0.625, step: 'encoding', count },
    ]);
  });

  test('of a step show their own names', async () => {
    const told: Progress[] = [];
    const { step } = steps({ decoding: 0.5, extending: 0.5 }).of((progress) => told.push(progress));
    await step('extending', async (progress) => {
      steps({ loading: 0.5, painting: 0.5 }).of(progress).span('painting')({ fraction: 0 });
      progress({ fraction: 1 });
    });
    expect(told).toEqual([
      { fraction: 0.5, step: 'extending' },
      { fraction: 0.75, step: 'painting' },
      { fraction: 1, step: 'extending' },
    ]);
  });
});

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
