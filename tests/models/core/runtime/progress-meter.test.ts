import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createProgressMeter,
  loadingProgress,
  type Progress,
  type ReportProgress,
  steps,
} from '../../../../models/core/runtime/progress.ts';

/** Creates a meter that records its reports. */
function recorded() {
  const told: Progress[] = [];
  const meter = createProgressMeter((progress) => told.push(progress));
  return { meter, told };
}

const bytes = (receivedBytes: number) => ({ receivedBytes, totalBytes: 100 });

describe('progress meter', () => {
  it('shows the progress of the run when nothing is downloaded', () => {
    const { meter, told } = recorded();
    for (const fraction of [0.25, 0.5, 1]) meter.work({ fraction });
    expect(told.map(({ fraction }) => fraction)).toEqual([0.25, 0.5, 1]);
  });

  it('keeps downloads apart: the fifth of a hundred frames is 5 % of the work after any download', () => {
    const { meter, told } = recorded();
    const download = meter.download();
    for (const received of [0, 50, 100]) download(loadingProgress(bytes(received)));
    const count = { done: 5, total: 100, isGuess: false, unit: 'frame' };
    meter.work({ fraction: 0.05, count });
    expect(told).toEqual([
      { fraction: 0, loading: bytes(0) },
      { fraction: 0, loading: bytes(50) },
      { fraction: 0 },
      { fraction: 0.05, count },
    ]);
  });

  it('says which step takes the time, until another begins', () => {
    const { meter, told } = recorded();
    meter.work({ fraction: 0, step: 'decoding' });
    meter.work({ fraction: 0.3, step: 'encoding' });
    meter.work({ fraction: 0.6 });
    expect(told).toEqual([
      { fraction: 0, step: 'decoding' },
      { fraction: 0.3, step: 'encoding' },
      { fraction: 0.6, step: 'encoding' },
    ]);
  });

  it('reports nothing that has not changed', () => {
    const { meter, told } = recorded();
    const download = meter.download();
    for (let time = 0; time < 3; time++) {
      meter.work({ fraction: 0.5, step: 'encoding' });
      meter.work({ fraction: 0.25 });
    }
    download(loadingProgress(bytes(100)));
    expect(told).toEqual([{ fraction: 0.5, step: 'encoding' }]);
  });

  it('never falls or exceeds 1, and always ends at 1', () => {
    const action = fc.record({
      of: fc.constantFrom('work', 'download', 'next'),
      to: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const { meter, told } = recorded();
        let download = meter.download();
        for (const { of, to } of actions) {
          if (of === 'next') download = meter.download();
          else if (of === 'work') meter.work({ fraction: to });
          else download(loadingProgress(bytes(to * 100)));
        }
        download(loadingProgress(bytes(100)));
        meter.work({ fraction: 1 });
        const shown = told.map(({ fraction }) => fraction);
        expect(shown).toEqual(shown.toSorted((left, right) => left - right));
        expect(told.at(-1)).toEqual({ fraction: 1 });
      }),
    );
  });

  it('never falls over nested steps, whatever they report', async () => {
    const reports = fc.array(fc.double({ min: -0.5, max: 1.5, noNaN: true }), { maxLength: 8 });
    const outer = steps({ decoding: 0.1, enlarging: 0.7, encoding: 0.2 });
    const inner = steps({ loading: 0.25, running: 0.75 });
    await fc.assert(
      fc.asyncProperty(reports, reports, reports, reports, async (...given) => {
        const { meter, told } = recorded();
        const { step, span } = outer.of(meter.work);
        const [decoded, loaded, ran, encoded] = given.map((fractions) => async (report: ReportProgress) => {
          for (const fraction of fractions) report({ fraction });
        });
        await step('decoding', async (progress) => decoded?.(progress));
        await step('enlarging', async (progress) => {
          const nested = inner.of(progress);
          await loaded?.(nested.span('loading'));
          await nested.step('running', async (report) => ran?.(report));
        });
        await encoded?.(span('encoding'));
        const shown = told.map(({ fraction }) => fraction);
        expect(shown).toEqual(shown.toSorted((left, right) => left - right));
        expect(shown.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true);
      }),
    );
  });
});
