import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { createRequestId } from '../../../models/core/operation/job.ts';
import { schema } from '../../../server/base/database/db.ts';
import { getJob, submitJob } from '../../../server/jobs/index.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { createTestDatabase } from '../../support/service/database.ts';
import { createJobFixture, type JobFixture } from '../../support/service/job-fixture.ts';

const operation = OPERATIONS['test-run'];
const params = { behaviour: 'copy' };
let fixture: JobFixture;
afterEach(() => fixture.close());

async function counts(): Promise<{ jobs: number; files: number; queued: number }> {
  const { db } = fixture.ctx;
  return {
    jobs: await db.$count(schema.jobs),
    files: await db.$count(schema.files),
    queued: await db.$count(schema.queueEntries),
  };
}

describe('submitting a job', () => {
  test('holds its price, stores it and queues it', async () => {
    fixture = await createJobFixture();
    const { ctx, actor } = fixture;
    const id = await fixture.submit(operation, params);
    expect(await counts()).toEqual({ jobs: 1, files: 1, queued: 1 });
    expect(await readBalance(ctx.db, actor.accountId)).toEqual({
      balance: 1_000_000n,
      held: 2_000n,
      available: 998_000n,
    });
    expect(await getJob(ctx, { accountId: actor.accountId, id })).toEqual({
      request_id: id,
      status: 'QUEUED',
      test: false,
      model_id: 'test-run',
      error: null,
      output: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
      started_at: null,
      completed_at: null,
      deleted_at: null,
      progress: 0,
      billing: { held_usd: '0.002', charged_usd: '0.00' },
      warnings: [],
      engine: null,
      engine_licence: null,
      code: null,
      field: null,
      output_delivery: [],
      receipt: null,
      run_on: 'service',
      cached: false,
      reference: null,
      metadata: {},
    });
  });

  test('leaves nothing behind when the wallet does not cover it', async () => {
    fixture = await createJobFixture({ credit: 1_999n });
    await expect(fixture.submit(operation, params)).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect(await counts()).toEqual({ jobs: 0, files: 0, queued: 0 });
  });

  test('leaves nothing behind when the monthly cap of the key is reached', async () => {
    fixture = await createJobFixture({ monthlyCap: 3_000n });
    await fixture.submit(operation, params);
    await expect(fixture.submit(operation, params)).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect(await counts()).toEqual({ jobs: 1, files: 1, queued: 1 });
    const { held } = await readBalance(fixture.ctx.db, fixture.actor.accountId);
    expect(held).toBe(2_000n);
  });

  test('commits or rolls back with the rest of its transaction', async () => {
    fixture = await createJobFixture();
    const { ctx, actor } = fixture;
    const submission = {
      id: createRequestId(operation.id, Date.now()),
      actor,
      modelId: operation.id,
      params,
      facts: {},
      lane: operation.laneFor({}, {}),
      price: 2_000n,
      files: [],
    };
    const failing = submitJob(ctx, submission, () =>
      Promise.reject(new Error('the response was not recorded')),
    );
    await expect(failing).rejects.toThrow('the response was not recorded');
    expect(await counts()).toEqual({ jobs: 0, files: 0, queued: 0 });
    expect((await readBalance(ctx.db, actor.accountId)).held).toBe(0n);
  });

  test('with a price of 0 holds nothing', async () => {
    fixture = await createJobFixture({ credit: 0n });
    await fixture.submit(operation, params, { price: 0n });
    expect(await counts()).toEqual({ jobs: 1, files: 1, queued: 1 });
    expect(await fixture.ctx.db.$count(schema.holds)).toBe(0);
  });

  test('is rejected under an existing id, for any account, and holds nothing more', async () => {
    fixture = await createJobFixture();
    const id = await fixture.submit(operation, params);
    await expect(fixture.submit(operation, params, { id })).rejects.toThrow();
    expect((await readBalance(fixture.ctx.db, fixture.actor.accountId)).held).toBe(2_000n);
  });
});

test('of 200 concurrent jobs against a balance for 50, exactly 50 are accepted', async () => {
  fixture = await createJobFixture({
    credit: 50n * 2_000n,
    database: await createTestDatabase({ connectionsMax: 30 }),
  });
  const { ctx, actor } = fixture;
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, () => fixture.submit(operation, params)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'insufficient_balance' });
  }
  expect(await readBalance(ctx.db, actor.accountId)).toEqual({
    balance: 100_000n,
    held: 100_000n,
    available: 0n,
  });
  expect(await counts()).toEqual({ jobs: 50, files: 50, queued: 50 });
  expect(await reconcileBalances(ctx.db)).toEqual({ ok: true, faults: [] });
});

test("another account's job is not found", async () => {
  fixture = await createJobFixture();
  const id = await fixture.submit(operation, params);
  const accountId = crypto.randomUUID();
  await expect(getJob(fixture.ctx, { accountId, id })).rejects.toMatchObject({ code: 'not_found' });
  await expect(fixture.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, id))).resolves.toHaveLength(
    1,
  );
});
