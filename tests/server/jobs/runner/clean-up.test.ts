import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { claimJob, completeJob, deleteOrphans } from '../../../../server/jobs/index.ts';
import { deleteExpiredData, removeStaleRuns } from '../../../../server/jobs/runner/create-scheduled-tasks.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import { createJobFixture, type JobFixture } from '../../../support/service/job-fixture.ts';

const HOUR_MS = 3_600_000;
let fixture: JobFixture;
beforeEach(async () => {
  fixture = await createJobFixture();
});
afterEach(() => fixture.close());

async function put(key: string): Promise<void> {
  const path = join(fixture.ctx.env.DATA_DIR, 'incoming');
  await writeFile(path, 'bytes');
  await fixture.ctx.storage.putFile(key, path, 'image/png');
}
async function isStored(key: string): Promise<boolean> {
  try {
    (await fixture.ctx.storage.get(key)).stream.destroy();
    return true;
  } catch {
    return false;
  }
}

test('an expired result is deleted, a fresh one stays', async () => {
  const { ctx } = fixture;
  const keys = ['outputs/old/token/a.png', 'outputs/new/token/a.png'];
  for (const key of keys) {
    const id = await fixture.submit(OPERATIONS['test-run'], { behaviour: 'copy' });
    const claim = await claimJob(ctx.db, id);
    await put(key);
    const file = { key, name: 'a.png', mediaType: 'image/png', bytes: 5, sha256: Buffer.alloc(32) };
    const lifetimeHours = key.includes('old') ? -1 : 24;
    const env = { ...ctx.env, RESULT_TTL_HOURS: lifetimeHours };
    if (claim) await completeJob({ ...ctx, env }, claim, { files: [file], engine: 'x', warnings: [] });
  }
  await deleteExpiredData(ctx);
  expect(await Promise.all(keys.map(isStored))).toEqual([false, true]);
});

test('only an old object without a job is deleted', async () => {
  const { ctx } = fixture;
  await fixture.submit(OPERATIONS['test-run'], { behaviour: 'copy' });
  const [input] = await ctx.db.select().from(schema.files);
  await put('outputs/lost/token/a.png');
  expect(await deleteOrphans(ctx)).toBe(0);
  expect(await deleteOrphans(ctx, new Date(Date.now() + 7 * HOUR_MS))).toBe(1);
  expect(await isStored('outputs/lost/token/a.png')).toBe(false);
  expect(await isStored(input?.key ?? '')).toBe(true);
});

test('responses stored for repeated requests are deleted after 24 hours', async () => {
  const { ctx, actor } = fixture;
  const buildKey = (key: string, createdAt: Date) => ({
    accountId: actor.accountId,
    key,
    fingerprint: Buffer.alloc(32),
    lockedUntil: createdAt,
    createdAt,
  });
  const now = Date.now();
  await ctx.db
    .insert(schema.idempotencyKeys)
    .values([buildKey('old', new Date(now - 25 * HOUR_MS)), buildKey('new', new Date(now - 23 * HOUR_MS))]);
  await deleteExpiredData(ctx);
  const left = await ctx.db.select().from(schema.idempotencyKeys);
  expect(left.map(({ key }) => key)).toEqual(['new']);
});

test('files of a killed runner are deleted once no run can be that old', async () => {
  const runs = join(fixture.ctx.env.DATA_DIR, 'runs');
  await mkdir(join(runs, 'old'), { recursive: true });
  await mkdir(join(runs, 'new'));
  const longAgo = new Date(Date.now() - 13 * HOUR_MS);
  await utimes(join(runs, 'old'), longAgo, longAgo);
  await removeStaleRuns(fixture.ctx);
  expect(await readdir(runs)).toEqual(['new']);
});
