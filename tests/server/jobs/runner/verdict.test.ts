import { expect, test } from 'vitest';
import type { ErrorCode } from '../../../../models/core/operation/errors.ts';
import type { RunEnd } from '../../../../server/jobs/runs/child-process.ts';
import { decideRun } from '../../../../server/jobs/runs/run-decision.ts';

const limits = { runSecondsMax: 5, memoryBytesMax: 100_000_000, processorSecondsMax: 30 };
const crash = (signal: string | null): RunEnd => ({ kind: 'crashed', signal, detail: '' });
const failed = (code: ErrorCode): RunEnd => ({
  kind: 'failed',
  code,
  message: 'As told.',
  isInputRejected: true,
  modelBytes: 0,
});

const done: RunEnd = {
  kind: 'done',
  files: [],
  engine: 'x',
  warnings: [],
  details: {},
  weights: [],
  durationMs: 1,
  modelBytes: 0,
};

test.each<[string, RunEnd, string]>([
  ['a result', done, 'complete'],
  ['a damaged input', failed('unprocessable'), 'fail'],
  ['an input beyond a limit', failed('bad_request'), 'fail'],
  ['a refused allocation', failed('over_memory'), 'fail'],
  ['too much memory', { kind: 'over-memory' }, 'fail'],
  ['too much of the processor', { kind: 'over-processor' }, 'fail'],
  ['a crash by bad memory access', crash('SIGSEGV'), 'run-again'],
  ['a crash by a failed assertion', crash('SIGABRT'), 'run-again'],
  ['a kill from outside', crash('SIGKILL'), 'retry'],
  ['an end without a reason', crash(null), 'retry'],
  ['too much time', { kind: 'over-time' }, 'give-up'],
  ['no progress', { kind: 'stuck' }, 'give-up'],
  ['a bug of ours', failed('internal'), 'retry'],
  ['an engine that is away', failed('unavailable'), 'retry'],
  ['a full disk', { ...failed('unavailable'), outage: 'disk' } as RunEnd, 'wait'],
  [
    'an outage under an engine that is named',
    { ...failed('unavailable'), field: 'engine', outage: 'model server' } as RunEnd,
    'wait',
  ],
  ['no memory for a process', { kind: 'no-process', detail: '' }, 'wait'],
  ['a stop of the runner', { kind: 'stopped' }, 'requeue'],
])('%s', (_, end, next) => {
  expect(decideRun(end, limits).next).toBe(next);
});

test('the message for too much memory names the limit and what to do', () => {
  expect(decideRun({ kind: 'over-memory' }, limits)).toMatchObject({
    message: expect.stringMatching(/100 MB.*smaller/),
  });
});
