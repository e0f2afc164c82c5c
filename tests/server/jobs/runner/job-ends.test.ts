import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchId } from '../../../../models/core/operation/batch.ts';
import { schema } from '../../../../server/base/database/db.ts';
import type { Runner } from '../../../../server/jobs/runner/runner.ts';
import { readBalance, reconcileBalances } from '../../../../server/money/wallet/index.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import { createRunnerHarness, type RunnerHarness, WITHIN } from '../../../support/service/runner-harness.ts';

let harness: RunnerHarness;
let runner: Runner;

beforeAll(async () => {
  harness = await createRunnerHarness();
  runner = await harness.start();
});
afterAll(async () => {
  await runner.stop();
  expect(await reconcileBalances(harness.fixture.ctx.db)).toEqual({ ok: true, faults: [] });
  await harness.fixture.close();
});

describe('a job ends', () => {
  test('COMPLETED with its files in storage, its input deleted and nothing else left', async () => {
    const done = await harness.ended(await harness.submit({ behaviour: 'copy' }));
    expect(done).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.002' }, progress: 1 });
    const { storage, db, env } = harness.fixture.ctx;
    const [output] = await db.select().from(schema.files).where(eq(schema.files.role, 'output'));
    const { stream } = await storage.get(output?.key ?? '');
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('some bytes');
    expect(await db.$count(schema.queueEntries)).toBe(0);
    // What the run leaves is deleted after its end is visible; the input's row is marked last.
    const inputRow = async () =>
      (await db.select().from(schema.files).where(eq(schema.files.role, 'input')))[0];
    await expect.poll(async () => (await inputRow())?.deletedAt, WITHIN).toBeInstanceOf(Date);
    const runs = join(env.DATA_DIR, 'runs');
    expect(await readdir(runs)).toEqual([]);
    expect((await stat(runs)).mode & 0o777).toBe(0o700);
    await expect(storage.get((await inputRow())?.key ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('FAILED at once when its input is invalid', async () => {
    const id = await harness.submit({ behaviour: 'corrupt' });
    expect(await harness.ended(id)).toMatchObject({ status: 'FAILED', error: 'The image is damaged.' });
    expect(await harness.attempts(id)).toBe(1);
  });

  test('FAILED at once when it needs too much memory', async () => {
    const id = await harness.submit({ behaviour: 'hog' });
    expect(await harness.ended(id)).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('memory'),
    });
    expect(await harness.attempts(id)).toBe(1);
  });

  test('FAILED when it also crashes a fresh process', { tags: ['long'] }, async () => {
    const id = await harness.submit({ behaviour: 'crash' });
    expect(await harness.ended(id)).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('crash'),
    });
    expect(await harness.attempts(id)).toBe(1);
  });

  test('COMPLETED when only the first of two processes crashes', { tags: ['long'] }, async () => {
    expect(
      await harness.ended(await harness.submit({ behaviour: 'crash-once', mark: harness.mark('crash') })),
    ).toMatchObject({
      status: 'COMPLETED',
    });
  });

  test('COMPLETED or FAILED by the limits for its own input, also as an item of a batch', {
    tags: ['long'],
  }, async () => {
    const [operation, params] = [OPERATIONS['test-run'], { behaviour: 'slow', durationMs: 1_200 }];
    const itemWith = (durationSeconds: number) =>
      harness.fixture.submit(operation, params, {
        modelId: batchId(operation.id),
        params: {
          items: [{ position: 0, params, facts: { durationSeconds }, price: '2000', attachments: {} }],
        },
        settled: [],
      });
    const long = await harness.fixture.submit(operation, params, { facts: { durationSeconds: 20 } });
    expect(await harness.ended(long)).toMatchObject({ status: 'COMPLETED' });
    const short = await harness.fixture.submit(operation, params, { facts: { durationSeconds: 1 } });
    expect(await harness.ended(short)).toMatchObject({
      status: 'ERROR',
      error: expect.stringContaining('the run took longer than 1 seconds'),
    });
    expect(await harness.attempts(short)).toBe(1);
    const [longItem, shortItem] = await Promise.all([itemWith(20), itemWith(1)]);
    for (const [item, charged_usd] of [
      [longItem, '0.002'],
      [shortItem, '0.00'],
    ] as const)
      expect(await harness.ended(item)).toMatchObject({ status: 'COMPLETED', billing: { charged_usd } });
  });

  test('ERROR after three attempts when the error is ours', { tags: ['long'] }, async () => {
    const { db } = harness.fixture.ctx;
    const before = await readBalance(db, harness.fixture.actor.accountId);
    const id = await harness.submit({ behaviour: 'broken' });
    expect(await harness.endedWithoutPauses(id)).toMatchObject({
      status: 'ERROR',
      error: expect.stringMatching(/^processing_failed: /),
      billing: { held_usd: '0.00', charged_usd: '0.00' },
    });
    expect(await harness.attempts(id)).toBe(3);
    expect(await readBalance(db, harness.fixture.actor.accountId)).toEqual(before);
  });
});
