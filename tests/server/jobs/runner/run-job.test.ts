import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../../../models/core/operation/define-operation.ts';
import { ATTEMPTS_MAX, type Lane } from '../../../../models/core/operation/job.ts';
import { createBreakers } from '../../../../server/base/breakers.ts';
import type { Context } from '../../../../server/base/context.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { claimJob, getJob } from '../../../../server/jobs/index.ts';
import {
  createAttemptFences,
  createUncountedAttempts,
} from '../../../../server/jobs/runner/attempt-registry.ts';
import { type Lanes, openLanes } from '../../../../server/jobs/runner/lanes.ts';
import { runJob, type StartedClaim, startJob } from '../../../../server/jobs/runner/run-job.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import { createJobFixture, type JobFixture } from '../../../support/service/job-fixture.ts';

const operation = OPERATIONS['test-run'];
const watched = {
  workerId: 'a runner',
  fences: createAttemptFences(),
  uncountedAttempts: createUncountedAttempts(),
  breakers: createBreakers(),
};
let fixture: JobFixture;
let lanes: Lanes;
let id: string;

beforeEach(async () => {
  fixture = await createJobFixture({ environment: { RUNNER_CONCURRENCY: '1' } });
  id = await fixture.submit(operation, { behaviour: 'copy' });
  const { env, log } = fixture.ctx;
  const operationsModule = fileURLToPath(
    new URL('../../../support/operations/test-operations.ts', import.meta.url),
  );
  lanes = openLanes({ env, operationsModule, memoryBytesMax: operation.limits.memoryBytesMax, log });
});
afterEach(async () => {
  lanes.close();
  await fixture.close();
});

/** Takes the job as its runner does. */
async function start(ctx: Context): Promise<StartedClaim> {
  const entry = { id, lane: 'interactive' as const, accountId: fixture.actor.accountId };
  const started = await startJob({ ctx, workerId: watched.workerId }, entry);
  if (!started) throw new Error('the job is not due');
  return started;
}

/**
 * Makes the job's last attempt.
 * @returns the error that its owner sees
 */
async function lastAttempt(
  ctx: Context,
  operations: Record<string, Operation> = OPERATIONS,
): Promise<string | null> {
  const { jobs } = schema;
  await ctx.db
    .update(jobs)
    .set({ attempt: ATTEMPTS_MAX - 1 })
    .where(eq(jobs.id, id));
  const { signal } = new AbortController();
  const deps = { ctx, lanes, operations, largestModelBytes: async () => 0, ...watched, signal };
  await runJob(deps, await start(ctx));
  const { status, error } = await getJob(ctx, { accountId: fixture.actor.accountId, id });
  expect(status).toBe('ERROR');
  return error;
}

describe('a long run that would leave too little memory for an image', () => {
  const MB = 1_000_000;
  const models = [200 * MB, 100 * MB];

  /** Runs the job, whose pixels take 400 MB, where a long run should take at most `longBytesMax`. */
  async function declared(lane: Lane, longBytesMax: number) {
    const limitsFor: Operation['limitsFor'] = (_facts, _params, modelBytesMax = 0) => ({
      ...operation.limits,
      memoryBytesMax: 400 * MB + modelBytesMax,
    });
    const seen: (number | undefined)[] = [];
    const watchedLanes: Lanes = {
      ...lanes,
      longBytesMax,
      run(chosen, request, options) {
        seen.push(options.limits.memoryBytesMax / MB, request.modelBytesMax);
        return lanes.run(chosen, request, options);
      },
    };
    const largestModelBytes = async (_: string, max = Infinity) => models.find((bytes) => bytes <= max) ?? 0;
    const operations = { 'test-run': { ...operation, limitsFor, laneFor: () => lane } };
    const { signal } = new AbortController();
    await runJob(
      { ctx: fixture.ctx, lanes: watchedLanes, operations, largestModelBytes, ...watched, signal },
      await start(fixture.ctx),
    );
    return seen;
  }

  test('uses a smaller model', async () => {
    expect(await declared('long', 550 * MB)).toEqual([500, 100 * MB]);
  });

  test.each<[string, Lane, number]>([
    ['when there is enough', 'long', 600],
    ['when no model is small enough', 'long', 450],
    ['when it is short', 'interactive', 550],
  ])('uses the largest model %s', { tags: ['long'] }, async (_, lane, megabytes) => {
    expect(await declared(lane, megabytes * MB)).toEqual([600, undefined]);
  });
});

describe('a job ends in ERROR and reports', () => {
  test.each<[string, () => never]>([
    ['a TypeError', () => Reflect.get(Object(undefined), 'x').y as never],
    [
      'an error',
      () => {
        throw new Error('an assumption does not hold');
      },
    ],
  ])('an internal error when %s of ours ended the run', async (_, fail) => {
    const error = await lastAttempt(fixture.ctx, { 'test-run': { ...operation, limitsFor: fail } });
    expect(error).toBe(
      'processing_failed: an internal error ended the run. Nothing was charged; try again later.',
    );
  });

  test('an internal error when our own code around the store fails', async () => {
    const storage = { ...fixture.ctx.storage, toLocalFile: () => Reflect.get(Object(undefined), 'x').y };
    expect(await lastAttempt({ ...fixture.ctx, storage })).toContain('an internal error ended the run');
  });
});

test('a job past its deadline ends in ERROR without a run, since no request may wait for it any more', async () => {
  const { ctx, actor } = fixture;
  const mark = join(ctx.env.DATA_DIR, 'mark');
  id = await fixture.submit(operation, { behaviour: 'copy', mark }, { secondsMax: 0 });
  const { signal } = new AbortController();
  await runJob(
    { ctx, lanes, operations: OPERATIONS, largestModelBytes: async () => 0, ...watched, signal },
    await start(ctx),
  );
  expect(await getJob(ctx, { accountId: actor.accountId, id })).toMatchObject({
    status: 'ERROR',
    error: expect.stringContaining('Nothing was charged'),
    billing: { held_usd: '0.00', charged_usd: '0.00' },
  });
  expect(existsSync(mark)).toBe(false);
});

test('an attempt that is fenced in its run gives its queue entry back, for another runner to take', async () => {
  const { ctx } = fixture;
  const mark = join(ctx.env.DATA_DIR, 'mark');
  id = await fixture.submit(operation, { behaviour: 'slow', durationMs: 600_000, mark });
  const { signal } = new AbortController();
  const deps = { ctx, lanes, operations: OPERATIONS, largestModelBytes: async () => 0, ...watched, signal };
  const running = runJob(deps, await start(ctx));
  await expect.poll(() => existsSync(mark)).toBe(true);
  // An earlier version claims a job that it cancels, and may die before it ends the job.
  await claimJob(ctx.db, id);
  expect(await watched.fences.check(ctx.db)).toEqual([id]);
  await running;
  const { queueEntries } = schema;
  const entries = await ctx.db.select().from(queueEntries).where(eq(queueEntries.id, id));
  expect(entries).toMatchObject([{ lockedBy: null, failures: 0 }]);
  expect(await start(ctx)).toMatchObject({ claim: { attempt: 3 } });
});
