import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { batchId } from '../../../models/core/operation/batch.ts';
import { formatWarning } from '../../../models/core/runtime/run-warnings.ts';
import { schema } from '../../../server/base/database/db.ts';
import {
  claimJob,
  completeJob,
  deleteExpiredFiles,
  failJob,
  findCachedResult,
  listSettledItems,
  settleItem,
} from '../../../server/jobs/index.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { createJobFixture, type JobFixture } from '../../support/service/job-fixture.ts';

let fixture: JobFixture;
let id: string;
const cacheKey = Buffer.alloc(32, 7);
const error = 'The URL cannot be fetched.';

beforeEach(async () => {
  fixture = await createJobFixture({ environment: { RESULT_TTL_HOURS: '2' } });
  const [operation, params] = [OPERATIONS['test-run'], { behaviour: 'copy' }];
  id = await fixture.submit(operation, params, {
    modelId: batchId(operation.id),
    settled: [{ position: 1, outcome: { status: 'failed', error } }],
  });
});
afterEach(() => fixture.close());

async function claim() {
  const claimed = await claimJob(fixture.ctx.db, id);
  if (!claimed) throw new Error('the job has ended already');
  return claimed;
}

const done = () => ({
  position: 0,
  outcome: { status: 'success' as const, engine: 'test', warnings: [formatWarning('lost_frames', '3')] },
  files: [
    {
      key: `outputs/${id}/token/a.png`,
      name: 'a.png',
      mediaType: 'image/png',
      bytes: 3,
      sha256: Buffer.alloc(32),
    },
  ],
  cacheKey,
});
const positions = async () => (await listSettledItems(fixture.ctx.db, id)).map(({ position }) => position);
const outputs = () => fixture.ctx.db.select().from(schema.files).where(eq(schema.files.role, 'output'));
const cached = () => {
  const { accountId } = fixture.actor;
  return findCachedResult(fixture.ctx.db, { accountId, cacheKey, hours: 24, minutesLeftMin: 10 });
};
const hoursLeft = async () =>
  ((await outputs())[0]?.expiresAt.getTime() ?? 0) / 3_600_000 - Date.now() / 3_600_000;

describe('an item of a batch', () => {
  test('is known to a later attempt once settled, and is settled only once', async () => {
    const { db } = fixture.ctx;
    const attempt = await claim();
    expect(await settleItem(db, attempt, done())).toBe(true);
    expect(await settleItem(db, attempt, done())).toBe(true);
    await claim();
    expect(await positions()).toEqual([0, 1]);
    expect(await outputs()).toHaveLength(1);
  });

  test('cannot be settled by a superseded attempt', async () => {
    const overtaken = await claim();
    await claim();
    expect(await settleItem(fixture.ctx.db, overtaken, done())).toBe(false);
    expect(await positions()).toEqual([1]);
    expect(await outputs()).toEqual([]);
  });

  test('stays until the batch completes, then serves other requests, and expires with the results', async () => {
    const attempt = await claim();
    await settleItem(fixture.ctx.db, attempt, done());
    expect(await hoursLeft()).toBeGreaterThan(24 * 7);
    expect(await cached()).toBeUndefined();
    await completeJob(fixture.ctx, attempt, { files: [], engine: 'test', warnings: [], charge: 2_000n });
    expect(await hoursLeft()).toBeLessThanOrEqual(2);
    expect(await cached()).toMatchObject({ jobId: id, outcome: done().outcome, files: [done().files[0]] });
  });

  test('is deleted at once when its batch fails', async () => {
    const attempt = await claim();
    await settleItem(fixture.ctx.db, attempt, done());
    await failJob(fixture.ctx, attempt, { status: 'ERROR', message: 'interrupted' });
    expect(await deleteExpiredFiles(fixture.ctx, { jobId: id })).toBe(2);
    expect(await cached()).toBeUndefined();
  });
});
