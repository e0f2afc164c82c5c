import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { EndedStep, ExpectedStep } from '../../../app/studio/run-times/step-timer.ts';
import { getWork, type RunStart, type RunWork } from '../../../app/studio/run-times/work-of.ts';

// Types of the tests know no storage of a page.
const MODULE: string = '../../../app/studio/run-times/kind-times.ts';

interface KindTimes {
  recordRun(operationId: string, work: RunWork, seconds: number, steps: readonly EndedStep[]): void;
  estimateRun(operationId: string, work: RunWork): number | undefined;
  expectStep(operationId: string, work: RunWork, step: string): ExpectedStep | undefined;
}

const { recordRun, estimateRun, expectStep }: KindTimes = await import(MODULE);

const JPEG = { width: 4000, height: 3000, mediaType: 'image/jpeg' };
const work = (facts: object, params: object, start: RunStart = 'warm'): RunWork => {
  const found = getWork(facts, params, () => start);
  if (!found) throw new Error('no work');
  return found;
};
const toAvif = work(JPEG, { to_format: 'avif', quality: 80 });
const toWebp = work(JPEG, { to_format: 'webp', quality: 80 });
const ID = 'media-convert-image';

describe('the work of a run', () => {
  test('is in pixels, seconds or both', () => {
    expect(toAvif.amount).toBe(12);
    expect(work({ durationSeconds: 90, mediaType: 'audio/mpeg' }, {}).amount).toBe(90);
    expect(work({ ...JPEG, durationSeconds: 10 }, {}).amount).toBe(120);
    expect(getWork({ mediaType: 'text/plain' }, {}, () => 'warm')).toBeUndefined();
  });

  test('is of the same kind for each quality, and of another for each format', () => {
    expect(work(JPEG, { to_format: 'avif', quality: 20 }).kinds).toEqual(toAvif.kinds);
    expect(toWebp.kinds.slice(0, 3)).not.toEqual(toAvif.kinds.slice(0, 3));
    expect(toWebp.kinds.at(-1)).toBe(toAvif.kinds.at(-1));
  });
});

describe('estimates from earlier runs', () => {
  beforeEach(() => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
    });
  });

  test('are those of the most alike kind that has run', () => {
    expect(estimateRun(ID, toAvif)).toBeUndefined();
    for (const seconds of [60, 60]) recordRun(ID, toAvif, seconds, []);
    expect(estimateRun(ID, toAvif)).toBeCloseTo(60, 6);
    // Another format of the same image is all that is known.
    expect(estimateRun(ID, toWebp)).toBeCloseTo(60, 6);
    recordRun(ID, toWebp, 6, []);
    expect(estimateRun(ID, toWebp)).toBeCloseTo(6, 6);
    expect(estimateRun(ID, toAvif)).toBeCloseTo(60, 6);
  });

  test('are not misled by a first run that loads what later ones reuse', () => {
    const [first, later] = [work(JPEG, {}, 'first'), work(JPEG, {}, 'warm')];
    recordRun('remove-bg', first, 30, []);
    for (const seconds of [6, 6]) recordRun('remove-bg', later, seconds, []);
    expect(estimateRun('remove-bg', later)).toBeCloseTo(6, 6);
  });

  test('tell how long a step takes, by its work', () => {
    const encoding = { name: 'encoding', seconds: 24, to: 1, isSilent: true };
    for (const _ of [1, 2]) recordRun(ID, toAvif, 30, [encoding]);
    const half = work({ ...JPEG, width: 2000 }, { to_format: 'avif' });
    // A part of it takes as long, whatever the image.
    const expected = { seconds: expect.closeTo(24 * (0.3 + 0.7 / 2), 6), to: 1, isSilent: true };
    expect(expectStep(ID, half, 'encoding')).toEqual(expected);
    expect(expectStep(ID, half, 'decoding')).toBeUndefined();
  });
});
