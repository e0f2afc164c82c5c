// @module-tag long

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { batchId } from '../../../models/core/operation/batch.ts';
import { schema } from '../../../server/base/database/db.ts';
import type { RequestFile } from '../../../server/jobs/index.ts';
import type { Runner } from '../../../server/jobs/runner/runner.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { createRunnerHarness, type RunnerHarness } from '../../support/service/runner-harness.ts';

const QUEUED = 6;
const NOT_STARTED = /^Too many recent runs of this account failed by their inputs, so this one did not start/;

let harness: RunnerHarness;
let runner: Runner | undefined;

beforeEach(async () => {
  // One run at a time: those under way when the budget is used up end as they would.
  harness = await createRunnerHarness({ RUNNER_CONCURRENCY: '1', FAILURES_PER_HOUR: '2' });
});
afterEach(async () => {
  await runner?.stop(0);
  expect(await reconcileBalances(harness.fixture.ctx.db)).toEqual({ ok: true, faults: [] });
  await harness.fixture.close();
});

const broken = (at: number) => ({ behaviour: 'corrupt', mark: harness.mark(`run-${at}`) });

/** Returns how many runs have begun. */
async function runs(): Promise<number> {
  const names = await readdir(harness.fixture.ctx.env.DATA_DIR);
  return names.filter((name) => name.startsWith('run-')).length;
}

test('jobs that were queued before the failures of their account do not run, and cost nothing', async () => {
  const ids = await Promise.all(Array.from({ length: QUEUED }, (_, at) => harness.submit(broken(at))));
  const { ctx, actor, addActor } = harness.fixture;
  const other = await addActor();
  const innocent = await harness.submit({ behaviour: 'copy' }, { actor: other });
  runner = await harness.start();
  const jobs = await Promise.all(ids.map(harness.ended));
  expect(jobs.map(({ status }) => status)).toEqual(Array(QUEUED).fill('FAILED'));
  expect(jobs.filter(({ error }) => error?.match(NOT_STARTED)).length).toBe(QUEUED - (await runs()));
  expect(await runs()).toBeLessThanOrEqual(2);
  expect(await readBalance(ctx.db, actor.accountId)).toMatchObject({ balance: 1_000_000n, held: 0n });
  const completed = () =>
    ctx.db.query.jobs.findFirst({ where: (job, { eq }) => eq(job.id, innocent), columns: { status: true } });
  await expect.poll(completed).toEqual({ status: 'COMPLETED' });
});

test('a failed run that waited for others counts once, however long that took', async () => {
  const id = await harness.submit({ behaviour: 'corrupt', durationMs: 11_000 });
  runner = await harness.start();
  expect(await harness.ended(id)).toMatchObject({ status: 'FAILED' });
  const [row] = await harness.fixture.ctx.db.execute<{ spent: number }>('select spent from failure_budgets');
  expect(row?.spent).toBeCloseTo(1, 1);
});

test('the items of a batch that follow too many broken ones do not run', async () => {
  const { ctx } = harness.fixture;
  const positions = Array.from({ length: QUEUED }, (_, position) => position);
  const items = positions.map((position) => ({
    position,
    params: broken(position),
    facts: {},
    price: '2000',
    attachments: {},
  }));
  const id = await harness.submit(broken(0), {
    lane: 'batch',
    modelId: batchId(OPERATIONS['test-run'].id),
    params: { items },
    settled: [],
    files: await Promise.all(positions.map(storeInput)),
  });
  runner = await harness.start();
  expect(await harness.ended(id)).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.00' } });
  const outcomes = await ctx.db.select().from(schema.batchItems).orderBy(schema.batchItems.position);
  expect(outcomes.map(({ outcome }) => outcome.status)).toEqual(Array(QUEUED).fill('failed'));
  expect(await runs()).toBeLessThanOrEqual(2);
  for (const { outcome } of outcomes.slice(await runs())) expect(outcome.error).toMatch(NOT_STARTED);
});

async function storeInput(position: number): Promise<RequestFile> {
  const { env, storage } = harness.fixture.ctx;
  const path = join(env.DATA_DIR, `input-${position}`);
  const key = `inputs/batch/${position}/input`;
  await writeFile(path, 'some bytes');
  await storage.putFile(key, path, 'image/png');
  const file = { key, name: 'input', mediaType: 'image/png', bytes: 10, sha256: Buffer.alloc(32) };
  return { ...file, role: 'input', position };
}
