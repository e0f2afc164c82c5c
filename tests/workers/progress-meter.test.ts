import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProgressMeter } from '../../workers/runtime/progress-meter.ts';

describe('progress meter', () => {
  it('shows the progress of the run when nothing is downloaded', () => {
    const shown: number[] = [];
    const meter = createProgressMeter((fraction) => shown.push(fraction));
    for (const fraction of [0.25, 0.5, 1]) meter.work(fraction);
    expect(shown).toEqual([0.25, 0.5, 1]);
  });

  it('gives a download its share of the remainder, and the run the rest', () => {
    const shown: number[] = [];
    const meter = createProgressMeter((fraction) => shown.push(fraction));
    meter.work(0.5);
    const download = meter.download();
    download(0.5);
    download(1);
    meter.work(0.75);
    meter.work(1);
    expect(shown.map((fraction) => fraction.toFixed(2))).toEqual(['0.50', '0.60', '0.70', '0.85', '1.00']);
  });

  it('reports when a download begins and ends', () => {
    const told: [string, boolean | undefined][] = [];
    const meter = createProgressMeter((fraction, _, isLoading) =>
      told.push([fraction.toFixed(2), isLoading]),
    );
    const download = meter.download();
    download(0);
    download(0.5);
    download(1);
    meter.work(0.5);
    expect(told).toEqual([
      ['0.00', true],
      ['0.20', true],
      ['0.40', false],
      ['0.70', false],
    ]);
  });

  it('never falls or exceeds 1, and always ends at 1', () => {
    const step = fc.record({
      of: fc.constantFrom('work', 'download', 'next'),
      to: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const shown: number[] = [];
        const meter = createProgressMeter((fraction) => shown.push(fraction));
        let download = meter.download();
        for (const { of, to } of steps) {
          if (of === 'next') download = meter.download();
          else if (of === 'work') meter.work(to);
          else download(to);
        }
        meter.work(1);
        expect(shown).toEqual([...shown].sort((left, right) => left - right));
        expect(shown.at(-1)).toBe(1);
      }),
    );
  });
});
