import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProcessorSeconds } from '../../lab/test-report/processor-time.ts';
import type { TestReport } from '../../lab/test-report/report.ts';
import { describeSum, describeTimes, isSuccess, readReport } from '../../lab/test-report/report.ts';

const failure = (name: string, message: string) => ({
  project: 'studio',
  file: 'tests/studio/x.test.ts',
  name,
  message,
});
const retry = (name: string) => failure(name, 'Timeout');
const report = (given: Partial<TestReport>): TestReport => ({
  passed: 0,
  failures: [],
  retried: [],
  files: [],
  seconds: 1,
  processorSeconds: 2,
  ...given,
});

describe('the sum of a run', () => {
  it('is one line, the last one, after the tests that ran twice', () => {
    const sum = report({ passed: 7, retried: [retry('opens')] });
    expect(isSuccess(sum)).toBe(true);
    expect(describeSum(sum)).toEqual([
      '1 tests passed only in their second attempt',
      '  studio: tests/studio/x.test.ts > opens',
      '    Timeout',
      '7 passed, 0 failed',
    ]);
  });

  it('fails when a test has failed, and names it with its error before the counts', () => {
    const sum = report({ passed: 7, failures: [failure('opens', 'expected 1 to be 2\n at x.test.ts:3')] });
    expect(isSuccess(sum)).toBe(false);
    expect(describeSum(sum)).toEqual([
      'FAILED studio: tests/studio/x.test.ts > opens',
      '    expected 1 to be 2',
      '     at x.test.ts:3',
      '0 tests passed only in their second attempt',
      '7 passed, 1 failed',
    ]);
  });

  it('shows the beginning of a long message, and a file that could not be imported by its name', () => {
    const message = Array.from({ length: 99 }, (_, line) => `line ${line}`).join('\n');
    const lines = describeSum(report({ failures: [failure('', message)] }));
    expect(lines[0]).toBe('FAILED studio: tests/studio/x.test.ts');
    expect(lines).toHaveLength(15);
  });

  it('fails when more than three tests ran twice', () => {
    const retried = ['one', 'two', 'three', 'four'].map(retry);
    expect(isSuccess(report({ retried: retried.slice(1) }))).toBe(true);
    const sum = report({ retried });
    expect(isSuccess(sum)).toBe(false);
    expect(describeSum(sum)[0]).toContain('4 tests passed only in their second attempt, more than the 3');
  });
});

it('the table of times has a sum for each project, and the slowest files first', () => {
  const file = (project: string, name: string, processorSeconds: number) => ({
    project,
    file: name,
    tests: 2,
    seconds: 1,
    processorSeconds,
  });
  const files = [file('parts', 'a', 1), file('studio', 'b', 9.26), file('parts', 'c', 3)];
  const lines = describeTimes([report({ files })]).split('\n');
  expect(lines).toContain('| `parts` | 2 | 4 | 4 |');
  expect(lines.slice(-3).map((line) => line.split(' ')[1])).toEqual(['`b`', '`c`', '`a`']);
  expect(lines).toContain('| `b` | 2 | 1.0 | 9.3 |');
});

it('the processor time of a process grows as it computes, and is 0 for a process that does not exist', () => {
  const before = readProcessorSeconds(process.pid);
  const endsAtMs = process.cpuUsage().user + 300_000;
  while (process.cpuUsage().user < endsAtMs);
  expect(readProcessorSeconds(process.pid) - before).toBeGreaterThan(0.2);
  expect(readProcessorSeconds(2 ** 30)).toBe(0);
});

const ROOT = resolve(import.meta.dirname, '../..');
const CONFIG = `
  import { RunReporter } from ${JSON.stringify(join(ROOT, 'lab/test-report/run-reporter.ts'))};
  export default { test: { globals: true, retry: 1, name: 'small', reporters: [new RunReporter()] } };`;
const TESTS = `
  let attempts = 0;
  test('passes', () => {});
  test('passes when it runs again', () => expect(++attempts).toBe(2));
  test('fails twice', () => expect(1).toBe(2));
  test('hangs', () => new Promise(() => {}), 50);
  test.skip('is not run', () => {});`;

it('a run of vitest reports what passed, failed and ran twice, and the time of each file', {
  tags: ['long'],
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'test-report-'));
  try {
    await writeFile(join(folder, 'vitest.config.ts'), CONFIG);
    await writeFile(join(folder, 'small.test.ts'), TESTS);
    const path = join(folder, 'report.json');
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const env = { ...process.env, TEST_REPORT: path };
    const run = spawnSync(process.execPath, [vitest, 'run', '--root', folder], { env, encoding: 'utf8' });
    expect(run.status).toBe(1);
    expect(run.stdout.trimEnd().split('\n').at(-1)).toBe('2 passed, 2 failed');
    expect(readReport(path)).toEqual({
      passed: 2,
      failures: [
        {
          project: 'small',
          file: 'small.test.ts',
          name: 'fails twice',
          message: expect.stringContaining('expected 1 to be 2'),
        },
        {
          project: 'small',
          file: 'small.test.ts',
          name: 'hangs',
          message: expect.stringContaining('Test timed out in 50ms'),
        },
      ],
      retried: [
        {
          project: 'small',
          file: 'small.test.ts',
          name: 'passes when it runs again',
          message: expect.stringContaining('expected 1 to be 2'),
        },
      ],
      files: [expect.objectContaining({ project: 'small', file: 'small.test.ts', tests: 4 })],
      seconds: expect.any(Number),
      processorSeconds: expect.any(Number),
    });
    expect(readReport(join(folder, 'missing.json'))).toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});
