// @module-tag long

import { afterEach, beforeEach, expect, test } from 'vitest';
import { batchId } from '../../../models/core/operation/batch.ts';
import type { Actor } from '../../../server/identity/keys/index.ts';
import type { Runner } from '../../../server/jobs/runner/runner.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { createRunnerHarness, type RunnerHarness, WITHIN } from '../../support/service/runner-harness.ts';

let harness: RunnerHarness;
let runner: Runner;

beforeEach(async () => {
  harness = await createRunnerHarness({ RUNNER_CONCURRENCY: '3' });
  runner = await harness.start();
});
afterEach(async () => {
  await runner.stop(0);
  await harness.fixture.close();
});

/** Submits a batch of one item. */
const submitBatch = (actor: Actor, params: object): Promise<string> =>
  harness.submit(params, {
    actor,
    lane: 'batch',
    modelId: batchId(OPERATIONS['test-run'].id),
    params: { items: [{ position: 0, params, facts: {}, price: '2000', attachments: {} }] },
    settled: [],
  });

test('batches of one account leave room for one of another', async () => {
  const { actor, addActor, ctx } = harness.fixture;
  const endless = { behaviour: 'slow', durationMs: 600_000 };
  const hoarded = await Promise.all(Array.from({ length: 6 }, () => submitBatch(actor, endless)));
  const states = async () => (await Promise.all(hoarded.map(harness.view))).map(({ status }) => status);
  await expect
    .poll(async () => (await states()).filter((status) => status === 'PROCESSING').length, WITHIN)
    .toBe(2);
  const other = await addActor();
  const id = await submitBatch(other, { behaviour: 'copy' });
  await expect
    .poll(
      async () => (await ctx.db.query.jobs.findFirst({ where: (job, { eq }) => eq(job.id, id) }))?.status,
      WITHIN,
    )
    .toBe('COMPLETED');
  expect((await states()).toSorted()).toEqual([
    ...Array<string>(2).fill('PROCESSING'),
    ...Array<string>(4).fill('QUEUED'),
  ]);
});
