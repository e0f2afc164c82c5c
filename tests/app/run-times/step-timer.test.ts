import { describe, expect, test } from 'vitest';
import { StepTimer } from '../../../app/studio/run-times/step-timer.ts';

const ENCODING = { seconds: 10, to: 1, isSilent: true };
const at = (fraction: number, step: string, rest = {}) => ({ fraction, step, ...rest });

describe('the times of the steps of a run', () => {
  test('say how long each took, how far the run was then, and which reported nothing', () => {
    const timer = new StepTimer();
    timer.take(at(0, 'decoding'), 0);
    for (const tenth of [1, 2, 3]) timer.take(at(tenth / 10, 'decoding'), tenth * 1000);
    timer.take(at(0.3, 'encoding'), 3000);
    expect(timer.finish(13_000)).toEqual([
      { name: 'decoding', seconds: 3, to: 0.3, isSilent: false },
      { name: 'encoding', seconds: 10, to: 1, isSilent: true },
    ]);
  });

  test('leave out a step that waited for a download', () => {
    const timer = new StepTimer();
    timer.take(at(0.1, 'finding', { loading: { receivedBytes: 1, totalBytes: 2 } }), 0);
    timer.take(at(0.1, 'finding'), 5000);
    expect(timer.finish(9000)).toEqual([]);
  });
});

describe('a silent step', () => {
  test('moves by the time that it took before, and never to its end', () => {
    const timer = new StepTimer();
    timer.take(at(0.3, 'encoding'), 0);
    expect(timer.estimate(ENCODING, 500)).toBeUndefined();
    expect(timer.estimate(ENCODING, 5000)).toEqual({
      fraction: expect.closeTo(0.65, 9),
      step: 'encoding',
      isEstimate: true,
    });
    expect(timer.estimate(ENCODING, 90_000)?.fraction).toBeCloseTo(0.3 + 0.7 * 0.95, 9);
    expect(timer.estimate(ENCODING, 91_000)).toBeUndefined();
  });

  test('never falls back behind its estimate when it reports after all', () => {
    const timer = new StepTimer();
    timer.take(at(0.3, 'encoding'), 0);
    timer.estimate(ENCODING, 5000);
    expect(timer.take(at(0.4, 'encoding'), 5100).fraction).toBeCloseTo(0.65, 9);
    expect(timer.take(at(0.9, 'encoding'), 5200)).toEqual(at(0.9, 'encoding'));
  });

  test('that no earlier run had moves by the time of a whole run, through half of the rest at most', () => {
    const timer = new StepTimer();
    timer.take(at(0.1, 'finding'), 0);
    const reached = (seconds: number) => timer.estimate(undefined, seconds * 1000, 10)?.fraction;
    expect(reached(0.5)).toBeUndefined();
    expect(reached(2)).toBeCloseTo(0.1 + 0.9 * 0.2, 9);
    expect(reached(4)).toBeCloseTo(0.1 + 0.9 * 0.4, 9);
    // The end of the step is unknown.
    expect(reached(8)).toBeCloseTo(0.55, 9);
    expect(reached(600)).toBeUndefined();
    expect(timer.take(at(0.3, 'cutting'), 600_100).fraction).toBeCloseTo(0.55, 9);
  });

  test('before the first one is a small part of a run, and a small first run is not over at once', () => {
    const timer = new StepTimer();
    timer.take({ fraction: 0 }, 0);
    expect(timer.estimate(undefined, 60_000, 0.2)?.fraction).toBeCloseTo(0.1, 9);
    timer.take(at(0.2, 'decoding'), 60_000);
    expect(timer.estimate(undefined, 61_000, 0.2)?.fraction).toBeCloseTo(0.2 + 0.8 * 0.2, 9);
  });

  test.each([
    ['nothing is known of it', undefined, {}],
    ['it reported in earlier runs', { ...ENCODING, isSilent: false }, {}],
    ['it counts its parts', ENCODING, { count: { done: 1, total: 9, isGuess: false, unit: 'tile' } }],
    ['a download is waited for', ENCODING, { loading: { receivedBytes: 1, totalBytes: 2 } }],
  ])('is not estimated where %s', (_, expected, rest) => {
    const timer = new StepTimer();
    timer.take(at(0.3, 'encoding', rest), 0);
    expect(timer.estimate(expected, 5000)).toBeUndefined();
  });
});
