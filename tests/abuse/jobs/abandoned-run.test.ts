// @module-tag long

import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { isAlive } from '../../../server/base/is-alive.ts';
import { abandonJob, OVERDUE } from '../../../server/jobs/index.ts';
import type { Runner } from '../../../server/jobs/runner/runner.ts';
import { createRunnerHarness, type RunnerHarness, WITHIN } from '../../support/service/runner-harness.ts';

let harness: RunnerHarness;
let runner: Runner;

beforeEach(async () => {
  harness = await createRunnerHarness({ RUNNER_CONCURRENCY: '1' });
  runner = await harness.start();
});
afterEach(async () => {
  await runner.stop(0);
  await harness.fixture.close();
});

test('the run of a job that no client waits for any more ends, though it reports nothing', async () => {
  const { ctx } = harness.fixture;
  const mark = harness.mark('began');
  const pid = async () => Number(await readFile(mark, 'utf8').catch(() => '0'));
  const id = await harness.submit({ behaviour: 'spin', mark }, { facts: { durationSeconds: 3600 } });
  await expect.poll(pid, WITHIN).toBeGreaterThan(0);
  const running = await pid();
  expect(await abandonJob(ctx, id, OVERDUE)).toBe(true);
  // Its own limit is an hour.
  await expect.poll(() => isAlive(running)).toBe(false);
  const next = await harness.submit({ behaviour: 'copy' }, { facts: { durationSeconds: 60 } });
  expect(await harness.ended(next)).toMatchObject({ status: 'COMPLETED' });
  expect(await harness.view(id)).toMatchObject({ status: 'ERROR', billing: { charged_usd: '0.00' } });
  expect(await ctx.db.$count(schema.queueEntries)).toBe(0);
});
