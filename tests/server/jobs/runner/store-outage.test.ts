// @module-tag long
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isTerminal, JOB_STATUSES } from '../../../../models/core/operation/job.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { startRelay } from '../../../support/servers/relay.ts';
import { startS3 } from '../../../support/servers/s3.ts';
import { createRunnerHarness } from '../../../support/service/runner-harness.ts';

const JOBS = 40;
const OUTAGE_MS = 20_000;

test('an outage of the bucket of 20 s ends none of 40 queued jobs in ERROR', async () => {
  const s3 = await startS3();
  const { port } = new URL(s3.environment.S3_ENDPOINT ?? '');
  const relay = await startRelay({ port: Number(port) }, { port: 0, host: '127.0.0.1' });
  const endpoint = `http://127.0.0.1:${relay.port}`;
  const harness = await createRunnerHarness({ ...s3.environment, S3_ENDPOINT: endpoint });
  const { ctx } = harness.fixture;
  const ids = await Promise.all(Array.from({ length: JOBS }, () => harness.submit({ behaviour: 'copy' })));
  await relay.takeAway();
  const runner = await harness.start();
  await wait(OUTAGE_MS);
  await relay.bringBack();
  const statuses = async () => {
    const jobs = await ctx.db.select({ status: schema.jobs.status }).from(schema.jobs);
    return jobs.map(({ status }) => status);
  };
  const haveEnded = async () => (await statuses()).every(isTerminal);
  await expect.poll(haveEnded).toBe(true);
  const ends = await statuses();
  const counts = Object.fromEntries(
    JOB_STATUSES.map((status) => [status, ends.filter((end) => end === status).length]),
  );
  expect(counts).toEqual({ QUEUED: 0, PROCESSING: 0, COMPLETED: JOBS, FAILED: 0, ERROR: 0 });
  const holds = await ctx.db.select({ state: schema.holds.state }).from(schema.holds);
  expect(holds.filter(({ state }) => state === 'captured')).toHaveLength(ids.length);
  await runner.stop();
  await harness.fixture.close();
  await relay.takeAway();
  await s3.stop();
});
