import { expect, it, vi } from 'vitest';
import type { Span } from '../../../../server/base/tracer.ts';
import { describeRun } from '../../../../server/jobs/runner/run-in-child.ts';
import type { Done, StageTime } from '../../../../server/jobs/runs/protocol.ts';

const NOW_MS = 1_000_000;
const DONE: Done = {
  kind: 'done',
  files: [],
  engine: 'sharp',
  warnings: [],
  details: {},
  weights: [],
  durationMs: 1,
  modelBytes: 0,
};

/** Returns the start and end of each stage's span. */
function getStages(stages: unknown): Record<string, readonly [startMs: number, endMs: number]> {
  vi.useFakeTimers({ now: NOW_MS });
  const written: Record<string, readonly [number, number]> = {};
  const span = {
    set: vi.fn(),
    fail: vi.fn(),
    start: (name: string, { startMs }: { startMs: number }) => ({
      end: (endMs: number) => {
        written[name] = [startMs, endMs];
      },
    }),
  };
  describeRun(span as unknown as Span, { ...DONE, stages: stages as StageTime[] }, NOW_MS - 500);
  vi.useRealTimers();
  return written;
}

const stage = (time: object) => ({
  stage: 'decode',
  calls: 1,
  busyMs: 1,
  startedAtMs: 0,
  endedAtMs: 0,
  ...time,
});

it('writes the times of a stage', () => {
  const times = { startedAtMs: NOW_MS - 400, endedAtMs: NOW_MS - 100 };
  expect(getStages([stage(times)])).toEqual({ decode: [NOW_MS - 400, NOW_MS - 100] });
});

it.each([
  { startedAtMs: 0, endedAtMs: 1e300 },
  { startedAtMs: Number.NaN, endedAtMs: 'tomorrow' },
  { startedAtMs: NOW_MS + 5, endedAtMs: -1 },
])('keeps the times that a child claims within the run: %j', (times) => {
  const [[startMs, endMs] = [0, 0]] = Object.values(getStages([stage(times)]));
  expect(startMs).toBeGreaterThanOrEqual(NOW_MS - 500);
  expect(endMs).toBeLessThanOrEqual(NOW_MS);
  expect(startMs).toBeLessThanOrEqual(endMs);
});

it('ignores stages that do not exist, and repeated ones', () => {
  const many = Array.from({ length: 10_000 }, () => stage({}));
  expect(Object.keys(getStages([...many, stage({ stage: 'photo.png' })]))).toEqual(['decode']);
});

it('marks a run whose child has ended without a report', () => {
  const span = { set: vi.fn(), fail: vi.fn(), start: vi.fn() };
  describeRun(span as unknown as Span, { kind: 'crashed', signal: 'SIGSEGV', detail: 'photo.png' }, NOW_MS);
  expect(span.fail).toHaveBeenCalledWith('crashed');
  expect(span.start).not.toHaveBeenCalled();
  expect(JSON.stringify(span.set.mock.calls)).not.toContain('photo.png');
});
