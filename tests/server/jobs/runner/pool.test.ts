import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReportProgress } from '../../../../models/core/runtime/progress.ts';
import { isAlive } from '../../../../server/base/is-alive.ts';
import { createLogger } from '../../../../server/base/log.ts';
import { type ChildPool, createChildPool } from '../../../../server/jobs/runs/child-pool.ts';
import type { RunEnd } from '../../../../server/jobs/runs/child-process.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import { collectGarbage } from '../../../support/processes/collect-garbage.ts';

const { limits } = OPERATIONS['test-run'];
let pool: ChildPool;
let root: string;
let inputPath: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pool-'));
  inputPath = join(root, 'input');
  await writeFile(inputPath, 'some bytes');
  pool = createChildPool({
    size: 2,
    operationsModule: fileURLToPath(
      new URL('../../../support/operations/test-operations.ts', import.meta.url),
    ),
    memoryBytesMax: limits.memoryBytesMax,
    log: createLogger('silent', 'test'),
  });
  await pool.warm();
});

afterAll(async () => {
  pool.close();
  await rm(root, { recursive: true });
});

async function run(
  behaviour: string,
  options: {
    durationMs?: number;
    mark?: string;
    signal?: AbortSignal;
    runSecondsMax?: number;
    memoryBytesMax?: number;
    processorSecondsMax?: number;
    onProgress?: ReportProgress;
  } = {},
): Promise<{ end: RunEnd; outputDirectory: string }> {
  const { durationMs = 0, mark, signal = new AbortController().signal, onProgress = () => {} } = options;
  const outputDirectory = await mkdtemp(join(root, 'out-'));
  const params = { behaviour, durationMs, ...(mark === undefined ? {} : { mark }) };
  const end = await pool.run(
    { operationId: 'test-run', params, inputPath, attachmentPaths: {}, outputDirectory },
    {
      limits: {
        runSecondsMax: options.runSecondsMax ?? limits.runSecondsMax,
        memoryBytesMax: options.memoryBytesMax ?? limits.memoryBytesMax,
        ...(options.processorSecondsMax && { processorSecondsMax: options.processorSecondsMax }),
      },
      signal,
      onProgress,
    },
  );
  return { end, outputDirectory };
}

describe('a run', () => {
  test('writes its files and returns their details', async () => {
    const { end, outputDirectory } = await run('copy');
    expect(end).toEqual({
      kind: 'done',
      details: {},
      weights: [],
      durationMs: expect.any(Number),
      modelBytes: 0,
      engine: 'copy',
      warnings: [],
      processorSeconds: expect.any(Number),
      files: [
        {
          name: 'copy.bin',
          mediaType: 'application/octet-stream',
          bytes: 10,
          facts: {},
          sha256Hex: createHash('sha256').update('some bytes').digest('hex'),
        },
      ],
    });
    expect(await readFile(join(outputDirectory, 'copy.bin'), 'utf8')).toBe('some bytes');
  });

  test('reports progress that never falls', async () => {
    const seen: number[] = [];
    await run('slow', { durationMs: 600, onProgress: ({ fraction }) => seen.push(fraction) });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  test('that rejects its input keeps code and message of the error', async () => {
    const { end } = await run('corrupt');
    expect(end).toMatchObject({ kind: 'failed', code: 'unprocessable', message: 'The image is damaged.' });
  });

  test('is measured by its processor time, not by its duration', async () => {
    const { end: waiting } = await run('corrupt', { durationMs: 3_000 });
    expect(waiting.processorSeconds).toBeLessThan(2);
    const { end: busy } = await run('spin', { runSecondsMax: 600, processorSecondsMax: 0.3 });
    expect(busy.processorSeconds).toBeGreaterThan(0.3);
  });

  test('that throws any other error reveals no internals to the user', async () => {
    const { end } = await run('broken');
    expect(end).toMatchObject({
      kind: 'failed',
      code: 'internal',
      message: 'an internal error ended the run',
    });
  });
});

describe('a run is terminated', () => {
  test('when it exceeds its time limit, even in an endless loop', async () => {
    expect((await run('spin', { runSecondsMax: 1 })).end).toMatchObject({ kind: 'over-time' });
  });

  test('when it uses more of the processor than it may, with time left', async () => {
    const { end } = await run('spin', { runSecondsMax: 600, processorSecondsMax: 0.2 });
    expect(end).toMatchObject({ kind: 'over-processor' });
  });

  test('when it computes for 30 seconds without progress, long before its time limit', {
    tags: ['long'],
  }, async () => {
    expect((await run('spin', { runSecondsMax: 600 })).end).toMatchObject({ kind: 'stuck' });
  });

  test('when its memory exceeds its own limit, long before the kernel limit', {
    tags: ['long'],
  }, async () => {
    expect((await run('hog', { memoryBytesMax: 250_000_000 })).end).toMatchObject({ kind: 'over-memory' });
  });

  test('when it allocates too much memory at once, before using any', async () => {
    expect((await run('gulp')).end).toMatchObject({ kind: 'failed', code: 'over_memory' });
  });

  test('when the runner stops', async () => {
    const stopping = new AbortController();
    const ending = run('slow', {
      durationMs: 2_000,
      signal: stopping.signal,
      onProgress: () => stopping.abort(),
    });
    expect((await ending).end).toMatchObject({ kind: 'stopped' });
  });

  test('at once when the runner has already stopped', async () => {
    expect((await run('copy', { signal: AbortSignal.abort() })).end).toEqual({ kind: 'stopped' });
  });
});

describe('a child', () => {
  test('receives no secret of the runner', { tags: ['long'] }, async () => {
    process.env.S3_SECRET_ACCESS_KEY = 'hush';
    process.env.SECRETS_KEY = 'hush';
    for (let i = 0; i < 2; i++) await run('exit');
    const { end } = await run('environment');
    delete process.env.S3_SECRET_ACCESS_KEY;
    delete process.env.SECRETS_KEY;
    expect(end).toMatchObject({ kind: 'done', engine: expect.stringContaining('PATH') });
    expect(end).not.toMatchObject({ engine: expect.stringMatching(/SECRET|DATABASE/) });
  });

  test('is reused after a successful run', async () => {
    const mark = join(root, 'mark-reuse');
    await run('copy', { mark });
    const first = await readFile(mark, 'utf8');
    await run('copy', { mark });
    expect(await readFile(mark, 'utf8')).toBe(first);
  });

  test('is used again after a run that rejected its input', async () => {
    const mark = join(root, 'mark-reject');
    await run('corrupt', { mark });
    const first = await readFile(mark, 'utf8');
    await run('corrupt', { mark });
    expect(await readFile(mark, 'utf8')).toBe(first);
  });

  test('is replaced after a failed run', async () => {
    const mark = join(root, 'mark-replace');
    await run('broken', { mark });
    const bad = Number(await readFile(mark, 'utf8'));
    await expect.poll(() => isAlive(bad)).toBe(false);
    expect((await run('copy')).end.kind).toBe('done');
  });

  test('that crashes is reported with its signal', async () => {
    expect((await run('crash')).end).toMatchObject({ kind: 'crashed', signal: 'SIGSEGV' });
  });

  test('that exits is reported as a crash without a signal', async () => {
    expect((await run('exit')).end).toMatchObject({ kind: 'crashed', signal: null });
  });

  test('that is killed while idle is replaced before it is needed', { tags: ['long'] }, async () => {
    const mark = join(root, 'mark-idle');
    await run('copy', { mark });
    const pid = Number(await readFile(mark, 'utf8'));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await run('copy')).end.kind).toBe('done');
    expect((await run('copy')).end.kind).toBe('done');
  });
});

test('a child beyond those that stay warm starts on demand, and ends when idle', {
  tags: ['long'],
}, async () => {
  const small = createChildPool({
    operationsModule: fileURLToPath(
      new URL('../../../support/operations/test-operations.ts', import.meta.url),
    ),
    memoryBytesMax: limits.memoryBytesMax,
    log: createLogger('silent', 'test'),
    size: 2,
    warmCount: 1,
    idleMs: 100,
  });
  const marks = ['mark-first', 'mark-second'].map((name) => join(root, name));
  const runs = marks.map((mark) =>
    small.run(
      {
        operationId: 'test-run',
        params: { behaviour: 'slow', durationMs: 500, mark },
        inputPath,
        attachmentPaths: {},
        outputDirectory: root,
      },
      { limits, signal: new AbortController().signal, onProgress() {} },
    ),
  );
  expect((await Promise.all(runs)).map(({ kind }) => kind)).toEqual(['done', 'done']);
  const pids = await Promise.all(marks.map(async (mark) => Number(await readFile(mark, 'utf8'))));
  expect(new Set(pids).size).toBe(2);
  await expect.poll(() => pids.filter(isAlive).length).toBe(1);
  small.close();
});

describe('a child that does not become ready', () => {
  const stuck = async (signal: AbortSignal, startMsMax?: number): Promise<RunEnd> => {
    const operationsModule = join(root, 'stuck.ts');
    await writeFile(
      operationsModule,
      'setInterval(() => {}, 1_000); await new Promise(() => {}); export const OPERATIONS = {};',
    );
    const options = {
      operationsModule,
      memoryBytesMax: limits.memoryBytesMax,
      log: createLogger('silent', 'test'),
    };
    const slow = createChildPool({
      ...options,
      size: 1,
      warmCount: 0,
      ...(startMsMax && { startMsMax }),
    });
    const request = {
      operationId: 'test-run',
      params: {},
      inputPath,
      attachmentPaths: {},
      outputDirectory: root,
    };
    return await slow.run(request, { limits, signal, onProgress() {} }).finally(slow.close);
  };

  test('does not delay the end of an aborted run', { tags: ['long'] }, async () => {
    expect(await stuck(AbortSignal.timeout(200))).toEqual({ kind: 'stopped' });
  });

  test('fails its run after a time limit, even with a garbage collection before it', {
    tags: ['long'],
  }, async () => {
    const collecting = setInterval(collectGarbage, 20);
    const end = await stuck(new AbortController().signal, 200).finally(() => clearInterval(collecting));
    expect(end).toMatchObject({ kind: 'no-process' });
  });
});
