import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProgressMeter } from '../../workers/runtime/loading/progress-meter.ts';

/** Creates a meter that records its reports. */
function recorded() {
  const told: [fraction: number, loading: number | undefined, words: string | undefined][] = [];
  const meter = createProgressMeter((fraction, count, { loading, step } = {}) =>
    told.push([fraction, loading, count ? `${count.unit} ${count.done}` : step]),
  );
  return { meter, told };
}

describe('progress meter', () => {
  it('shows the progress of the run when nothing is downloaded', () => {
    const { meter, told } = recorded();
    for (const fraction of [0.25, 0.5, 1]) meter.work(fraction);
    expect(told.map(([fraction]) => fraction)).toEqual([0.25, 0.5, 1]);
  });

  it('keeps downloads apart: the fifth of a hundred frames is 5 % of the work after any download', () => {
    const { meter, told } = recorded();
    const download = meter.download();
    for (const fraction of [0, 0.5, 1]) download(fraction);
    meter.work(0.05, { done: 5, total: 100, isGuess: false, unit: 'frame' });
    expect(told).toEqual([
      [0, 0, undefined],
      [0, 0.5, undefined],
      [0, undefined, undefined],
      [0.05, undefined, 'frame 5'],
    ]);
  });

  it('says which step takes the time, until another begins', () => {
    const { meter, told } = recorded();
    meter.work(0, undefined, 'decoding');
    meter.work(0.3, undefined, 'encoding');
    meter.work(0.6);
    expect(told).toEqual([
      [0, undefined, 'decoding'],
      [0.3, undefined, 'encoding'],
      [0.6, undefined, 'encoding'],
    ]);
  });

  it('never falls or exceeds 1, and always ends at 1', () => {
    const step = fc.record({
      of: fc.constantFrom('work', 'download', 'next'),
      to: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { meter, told } = recorded();
        let download = meter.download();
        for (const { of, to } of steps) {
          if (of === 'next') download = meter.download();
          else if (of === 'work') meter.work(to);
          else download(to);
        }
        download(1);
        meter.work(1);
        const shown = told.map(([fraction]) => fraction);
        expect(shown).toEqual([...shown].sort((left, right) => left - right));
        expect(told.at(-1)?.slice(0, 2) ?? [1, undefined]).toEqual([shown.at(-1), undefined]);
        expect(shown.at(-1)).toBe(1);
      }),
    );
  });
});
