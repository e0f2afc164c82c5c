import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import {
  cancelJob,
  claimJob,
  getJob,
  queueOutputs,
  recordDeliveries,
} from '../../../../server/jobs/index.ts';
import { createAttemptFences } from '../../../../server/jobs/runner/attempt-registry.ts';
import { deliverOutputs } from '../../../../server/jobs/runner/deliver-outputs.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import { type Bucket, startBucket } from '../../../support/servers/bucket.ts';
import { createJobFixture, type JobFixture } from '../../../support/service/job-fixture.ts';

const WORKER = 'a runner';
let fixture: JobFixture;
let bucket: Bucket;
beforeEach(async () => {
  bucket = await startBucket();
  fixture = await createJobFixture({ environment: { FETCH_ALLOW_NETWORKS: '127.0.0.0/8' } });
});
afterEach(async () => {
  await bucket.close();
  await fixture.close();
});

/** Submits a job whose run has ended with as many files as URLs, and waits for their delivery. */
async function queue(urls: readonly string[], isStored = true) {
  const { ctx } = fixture;
  const targets = { urls, isStored };
  const id = await fixture.submit(OPERATIONS['test-run'], { behaviour: 'copy' }, { targets });
  const claim = await claimJob(ctx.db, id);
  if (!claim) throw new Error('no claim');
  const directory = await mkdtemp(join(tmpdir(), 'outputs-'));
  const files = await Promise.all(
    urls.map(async (_, at) => {
      const [name, key] = [`${at}.bin`, `outputs/${id}/token/${at}.bin`];
      await writeFile(join(directory, name), name);
      await ctx.storage.putFile(key, join(directory, name), 'application/octet-stream');
      return { key, name, mediaType: 'application/octet-stream', bytes: 5, sha256: Buffer.alloc(32) };
    }),
  );
  const result = { files, engine: 'copy', warnings: [] };
  const queued = () => queueOutputs(ctx.db, claim, result);
  expect(await queued()).toBe(true);
  return { id, claim, queued };
}

const deliver = (id: string, retryWindowMs: number) => {
  const signal = new AbortController().signal;
  const deps = { ctx: fixture.ctx, workerId: WORKER, fences: createAttemptFences(), signal };
  return deliverOutputs(deps, id, { retryWindowMs });
};
const view = (id: string) => getJob(fixture.ctx, { accountId: fixture.actor.accountId, id });
const entries = () => fixture.ctx.db.select().from(schema.queueEntries);

describe('a result on its way to the bucket of a client', () => {
  test('waits in its own lane, whose entry a lost response does not repeat', async () => {
    const { id, queued } = await queue([bucket.presign()]);
    expect(await entries()).toMatchObject([{ id, lane: 'output', host: '127.0.0.1' }]);
    await fixture.ctx.db.update(schema.queueEntries).set({ lockedBy: 'a worker' });
    expect(await queued()).toBe(true);
    expect(await entries()).toMatchObject([{ id, lane: 'output', lockedBy: 'a worker' }]);
    expect(await view(id)).toMatchObject({ status: 'PROCESSING', output: null });
    await deliver(id, 1_000);
    expect(await view(id)).toMatchObject({ status: 'COMPLETED', engine: 'copy' });
    expect(await entries()).toEqual([]);
    expect(await queued()).toBe(true);
  });

  test.each([
    [true, 'COMPLETED'],
    [false, 'FAILED'],
  ] as const)('is given up after a while of 5xx: with store %s the job ends %s', async (isStored, status) => {
    const { id } = await queue([bucket.presign(500)], isStored);
    await deliver(id, 2_500);
    const job = await view(id);
    expect(job).toMatchObject({ status, output_delivery: [{ status: 'failed', http_status: 500 }] });
    expect(job.output_delivery[0]?.attempts).toBe(bucket.received.length);
    expect(bucket.received.length).toBeGreaterThan(1);
  });

  test('is not sent again where another worker has delivered it', async () => {
    const urls = [bucket.presign(), bucket.presign()] as const;
    const { id, claim } = await queue(urls, false);
    const delivered = {
      url: urls[0],
      status: 'delivered',
      attempts: 1,
      httpStatus: 200,
      error: null,
    } as const;
    const pending = { url: urls[1], status: 'pending', attempts: 0, httpStatus: null, error: null } as const;
    await recordDeliveries(fixture.ctx.db, claim, [delivered, pending]);
    await deliver(id, 1_000);
    expect(bucket.received.map(({ body }) => String(body))).toEqual(['1.bin']);
    expect((await view(id)).status).toBe('COMPLETED');
  });

  test('is put back by a runner whose attempt is fenced, for another one to deliver', async () => {
    const { id } = await queue([bucket.presign(500)]);
    const { ctx } = fixture;
    await ctx.db.update(schema.queueEntries).set({ lockedBy: WORKER });
    const delivering = deliver(id, 1_500);
    await expect.poll(() => bucket.received.length).toBeGreaterThan(0);
    await claimJob(ctx.db, id);
    await delivering;
    expect(await view(id)).toMatchObject({ status: 'PROCESSING' });
    expect(await entries()).toMatchObject([{ id, lane: 'output', lockedBy: null, failures: 0 }]);
    await deliver(id, 1_000);
    expect(await view(id)).toMatchObject({ status: 'COMPLETED' });
    expect(await entries()).toEqual([]);
  });

  test('is not sent once its job was canceled, and its files are deleted', async () => {
    const { id } = await queue([bucket.presign()]);
    const { accountId } = fixture.actor;
    await cancelJob(fixture.ctx, { accountId, id });
    await deliver(id, 1_000);
    expect(bucket.received).toEqual([]);
    const [row] = await fixture.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, id));
    expect(row).toMatchObject({ status: 'FAILED', errorCode: 'canceled' });
    expect(row?.outputDeliveries[0]?.url).not.toContain('secret');
  });
});
