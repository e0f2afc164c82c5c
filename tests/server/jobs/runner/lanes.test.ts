import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { batchId } from '../../../../models/core/operation/batch.ts';
import { LANES, type Lane } from '../../../../models/core/operation/job.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { isAlive } from '../../../../server/base/is-alive.ts';
import { createLogger } from '../../../../server/base/log.ts';
import { enqueueDelivery } from '../../../../server/io/webhooks/index.ts';
import type { Submission } from '../../../../server/jobs/index.ts';
import { type Lanes, laneSlots, openLanes } from '../../../../server/jobs/runner/lanes.ts';
import type { Runner } from '../../../../server/jobs/runner/runner.ts';
import type { RunEnd } from '../../../../server/jobs/runs/child-process.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import { startHttpTarget } from '../../../support/servers/http-target.ts';
import { createRunnerHarness, type RunnerHarness, WITHIN } from '../../../support/service/runner-harness.ts';

const operation = OPERATIONS['test-run'];
const { limits } = operation;
/** As on the test operation's card. */
const HOUR_LONG = { facts: { durationSeconds: 3600 } };

describe('the slots of a runner', () => {
  test('are RUNNER_CONCURRENCY for interactive jobs, half as many for other lanes, and one more for batches', () => {
    expect(laneSlots({ RUNNER_CONCURRENCY: 5 })).toEqual({ interactive: 5, long: 3, verdict: 3, batch: 4 });
  });

  test('are at least one for each lane', () => {
    expect(laneSlots({ RUNNER_CONCURRENCY: 1 })).toEqual({ interactive: 1, long: 1, verdict: 1, batch: 2 });
  });
});

describe('a job', () => {
  let harness: RunnerHarness;
  let runner: Runner | undefined;

  beforeEach(async () => {
    harness = await createRunnerHarness({ FETCH_ALLOW_NETWORKS: '127.0.0.1/32' });
  });
  afterEach(async () => {
    await runner?.stop(0);
    runner = undefined;
    await harness.fixture.close();
  });

  const slow = { behaviour: 'slow', durationMs: 60_000 };
  const batchOfOne: Partial<Submission> = {
    modelId: batchId(operation.id),
    params: { items: [{ position: 0, params: slow, facts: {}, price: '2000', attachments: {} }] },
    lane: 'batch',
    settled: [],
  };

  test.each<[string, Partial<Submission>]>([
    ['hour-long jobs', HOUR_LONG],
    ['batches', batchOfOne],
  ])('completes while more %s wait than there are slots', { tags: ['long'] }, async (_, options) => {
    runner = await harness.start();
    const others = await Promise.all(Array.from({ length: 4 }, () => harness.submit(slow, options)));
    const statuses = async () =>
      (await Promise.all(others.map(harness.view))).map(({ status }) => status).toSorted();
    await expect.poll(async () => (await statuses())[0], WITHIN).toBe('PROCESSING');
    expect(await harness.ended(await harness.submit({ behaviour: 'copy' }))).toMatchObject({
      status: 'COMPLETED',
    });
    expect(await statuses()).toContain('QUEUED');
    expect(new Set(await statuses())).toEqual(new Set(['PROCESSING', 'QUEUED']));
  });

  test('and the cleanup do not wait for webhook receivers that hang', { tags: ['long'] }, async () => {
    const { ctx, actor } = harness.fixture;
    const target = await startHttpTarget(() => {});
    const delivery = { accountId: actor.accountId, reference: 'x', url: target.origin, body: '{}' };
    for (let i = 0; i < 12; i++) await ctx.db.transaction((tx) => enqueueDelivery(tx, delivery));
    const before = new Date(Date.now() - 25 * 3_600_000);
    await ctx.db.insert(schema.idempotencyKeys).values({
      accountId: actor.accountId,
      key: 'old',
      fingerprint: Buffer.alloc(32),
      lockedUntil: before,
      createdAt: before,
    });
    runner = await harness.start();
    await expect.poll(() => target.requests.length, WITHIN).toBe(2);
    const { scheduledTasks } = schema;
    await ctx.db.update(scheduledTasks).set({ runAt: sql`now()` }).where(eq(scheduledTasks.name, 'clean-up'));
    const id = await harness.submit({ behaviour: 'copy' });
    expect(await harness.ended(id)).toMatchObject({ status: 'COMPLETED' });
    await expect.poll(() => ctx.db.$count(schema.idempotencyKeys), WITHIN).toBe(0);
    expect(await ctx.db.$count(schema.deliveryAttempts)).toBe(0);
    await runner.stop(0);
    runner = undefined;
    await target.stop();
  });
});

describe('runs in lanes', () => {
  let root: string;
  let lanes: Lanes;
  let runningNow: number;
  let runningMost: number;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lanes-'));
    await writeFile(join(root, 'input'), 'some bytes');
    runningNow = 0;
    runningMost = 0;
  });
  afterEach(async () => {
    lanes.close();
    await rm(root, { recursive: true });
  });

  function open(RUNNER_CONCURRENCY: number, RUNNER_MEMORY_MB: number): void {
    lanes = openLanes({
      env: { RUNNER_CONCURRENCY, RUNNER_MEMORY_MB },
      operationsModule: fileURLToPath(
        new URL('../../../support/operations/test-operations.ts', import.meta.url),
      ),
      memoryBytesMax: limits.memoryBytesMax,
      log: createLogger('silent', 'test'),
      // On a busy machine another child may start later than an idle one ends.
      backgroundIdleMs: 600_000,
    });
  }

  async function run(lane: Lane, name: string, durationMs: number, signal?: AbortSignal): Promise<RunEnd> {
    const outputDirectory = await mkdtemp(join(root, 'out-'));
    let began = false;
    const claimant = { signal: signal ?? new AbortController().signal };
    const release = await lanes.reserve(lane, limits.memoryBytesMax, claimant).catch(() => null);
    if (!release) return { kind: 'stopped' };
    const end = await lanes.run(
      lane,
      {
        operationId: 'test-run',
        params: { behaviour: 'slow', durationMs, mark: join(root, name) },
        inputPath: join(root, 'input'),
        attachmentPaths: {},
        outputDirectory,
      },
      {
        limits,
        ...claimant,
        onProgress() {
          if (began) return;
          began = true;
          runningMost = Math.max(runningMost, ++runningNow);
        },
      },
    );
    if (began) runningNow -= 1;
    release();
    return end;
  }
  const getPid = async (name: string) => Number(await readFile(join(root, name), 'utf8').catch(() => '0'));
  const begun = (name: string) => expect.poll(() => getPid(name), WITHIN).toBeGreaterThan(0);

  test('never exceed the memory budget together', async () => {
    // Each declares 600 MB.
    open(4, 1_300);
    const ends = await Promise.all(['a', 'b', 'c', 'd'].map((name) => run('interactive', name, 600)));
    expect(ends.map(({ kind }) => kind)).toEqual(['done', 'done', 'done', 'done']);
    expect(runningMost).toBe(2);
  });

  test('run alone when they exceed the memory budget', { tags: ['long'] }, async () => {
    open(3, 100);
    const ends = await Promise.all([run('interactive', 'a', 300), run('long', 'b', 300)]);
    expect(ends.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(runningMost).toBe(1);
  });

  test('leave memory for an image and a verdict, however many videos wait', { tags: ['long'] }, async () => {
    open(4, 1_300);
    const stopping = new AbortController();
    const films = ['1', '2', '3', '4'].map((name) => run('long', `film ${name}`, 60_000, stopping.signal));
    // Any of them is the first: they begin at the same moment.
    const filmsBegun = async () => (await readdir(root)).filter((name) => name.startsWith('film')).length;
    await expect.poll(filmsBegun, WITHIN).toBe(1);
    expect(await run('interactive', 'image', 50)).toMatchObject({ kind: 'done' });
    expect(await run('verdict', 'verdict', 50)).toMatchObject({ kind: 'done' });
    stopping.abort();
    expect((await Promise.all(films)).map(({ kind }) => kind)).toEqual(Array(4).fill('stopped'));
    expect(await filmsBegun()).toBe(1);
  });

  test('in the long and batch lanes have low priority in all their threads', { tags: ['long'] }, async () => {
    open(2, 10_000);
    const stopping = new AbortController();
    const runs = LANES.map((lane) => run(lane, lane, 60_000, stopping.signal));
    const niceness: Record<string, number[]> = {};
    for (const lane of LANES) {
      await begun(lane);
      const threads = await readdir(`/proc/${await getPid(lane)}/task`);
      niceness[lane] = [...new Set(threads.map((thread) => getPriority(Number(thread))))];
    }
    expect(niceness).toEqual({ interactive: [0], verdict: [0], long: [10], batch: [10] });
    stopping.abort();
    await Promise.all(runs);
  });

  test('reuse a child for the next run of the same lane only', { tags: ['long'] }, async () => {
    open(2, 10_000);
    await run('long', 'first', 50);
    await run('long', 'second', 50);
    await run('batch', 'other', 50);
    expect(await getPid('second')).toBe(await getPid('first'));
    expect(await getPid('other')).not.toBe(await getPid('first'));
    expect(isAlive(await getPid('first'))).toBe(true);
  });
});
