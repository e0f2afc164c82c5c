import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getWork, type RunStart, type RunWork } from '../../../app/studio/run-times/work-of.ts';

// Types of the tests know no storage of a page.
const MODULE: string = '../../../app/studio/run-times/kind-times.ts';

interface KindTimes {
  recordRun(operationId: string, work: RunWork, seconds: number, steps: readonly never[]): void;
  estimateRun(operationId: string, work: RunWork): number | undefined;
}

const { recordRun, estimateRun }: KindTimes = await import(MODULE);

/** Runs of one tool in a new browser, on two cores: three in a first tab, then two in another, but for image checks. */
interface RecordedRuns {
  readonly operationId: string;
  readonly params: object;
  readonly mediaType: string;
  /** Work in megapixels or seconds, and the time in seconds. */
  readonly runs: readonly (readonly [start: RunStart, amount: number, seconds: number])[];
}

const FILE = join(import.meta.dirname, '../../fixtures/run-times/recorded.json');
const RECORDED: readonly RecordedRuns[] = JSON.parse(await readFile(FILE, 'utf8'));
/** Runs before an estimate must be right. */
const RUNS_BEFORE = 2;

describe('from the third run on an estimate is right within a factor of two', () => {
  beforeEach(() => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
    });
  });

  test.each(RECORDED)('for $operationId $params', ({ operationId, params, mediaType, runs }) => {
    expect(runs.length).toBeGreaterThan(RUNS_BEFORE);
    for (const [at, [start, amount, seconds]] of runs.entries()) {
      const facts = mediaType.startsWith('audio/')
        ? { durationSeconds: amount, mediaType }
        : { width: amount * 1e6, height: 1, mediaType };
      const work = getWork(facts, params, () => start);
      if (!work) throw new Error('no work');
      if (at >= RUNS_BEFORE) {
        const ratio = (estimateRun(operationId, work) ?? 0) / seconds;
        expect(ratio, `run ${at + 1} of ${seconds} s`).toBeGreaterThan(0.5);
        expect(ratio, `run ${at + 1} of ${seconds} s`).toBeLessThan(2);
      }
      recordRun(operationId, work, seconds, []);
    }
  });
});
