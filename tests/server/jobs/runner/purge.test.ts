import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { claimJob, completeJob, failJob, settleItem } from '../../../../server/jobs/index.ts';
import { purgeOldRecords } from '../../../../server/jobs/runner/create-scheduled-tasks.ts';
import { reconcileBalances } from '../../../../server/money/wallet/index.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import { createJobFixture, type JobFixture } from '../../../support/service/job-fixture.ts';

const { jobs, files, batchItems, deliveries, deliveryAttempts, holds, transfers, entries } = schema;
const operation = OPERATIONS['test-run'];
let fixture: JobFixture;

beforeEach(async () => {
  fixture = await createJobFixture({
    environment: { JOB_RETENTION_DAYS: '90', DELIVERY_RETENTION_DAYS: '30' },
  });
});
afterEach(async () => {
  expect(await reconcileBalances(fixture.ctx.db)).toEqual({ ok: true, faults: [] });
  await fixture.close();
});

const file = (name: string) => ({
  key: `outputs/${name}/token/a.png`,
  name: 'a.png',
  mediaType: 'image/png',
  bytes: 5,
  sha256: Buffer.alloc(32),
});

async function completed(options: Parameters<JobFixture['submit']>[2] = {}): Promise<string> {
  const id = await fixture.submit(operation, { behaviour: 'copy' }, options);
  const claim = await claimJob(fixture.ctx.db, id);
  if (claim) await completeJob(fixture.ctx, claim, { files: [file(id)], engine: 'x', warnings: [] });
  return id;
}

/** Ages a job, with its files deleted from storage. */
async function age(id: string, days: number, isDeleted = true): Promise<void> {
  const { db } = fixture.ctx;
  const then = sql`now() - ${days} * interval '1 day'`;
  await db.update(jobs).set({ createdAt: then, completedAt: then }).where(eq(jobs.id, id));
  if (isDeleted) await db.update(files).set({ deletedAt: then }).where(eq(files.jobId, id));
}
const kept = async () =>
  (await fixture.ctx.db.select({ id: jobs.id }).from(jobs)).map(({ id }) => id).toSorted();

describe('a job', () => {
  test('is deleted 90 days after its end, with its files, and the ledger stays', async () => {
    const { db } = fixture.ctx;
    const [old, young] = [await completed(), await completed()];
    await age(old, 91);
    await age(young, 89);
    const money = () => Promise.all([holds, transfers, entries].map((table) => db.$count(table)));
    const before = await money();
    await purgeOldRecords(fixture.ctx);
    expect(await kept()).toEqual([young]);
    expect(await db.$count(files, eq(files.jobId, old))).toBe(0);
    expect(await money()).toEqual(before);
  });

  test('is deleted when it failed, too, and stays while it has not ended', async () => {
    const failed = await fixture.submit(operation, { behaviour: 'copy' });
    const claim = await claimJob(fixture.ctx.db, failed);
    if (claim) await failJob(fixture.ctx, claim, { status: 'FAILED', message: 'The image is damaged.' });
    const waiting = await fixture.submit(operation, { behaviour: 'copy' });
    await age(failed, 91);
    await fixture.ctx.db
      .update(jobs)
      .set({ createdAt: new Date(0) })
      .where(eq(jobs.id, waiting));
    await purgeOldRecords(fixture.ctx);
    expect(await kept()).toEqual([waiting]);
  });

  test('that waited for months stays for 90 days after its end', async () => {
    const id = await completed();
    await age(id, 1);
    await fixture.ctx.db.update(jobs).set({ createdAt: new Date(0) });
    await purgeOldRecords(fixture.ctx);
    expect(await kept()).toEqual([id]);
  });

  test('stays while storage holds a file of it', async () => {
    const id = await completed();
    await age(id, 91, false);
    await purgeOldRecords(fixture.ctx);
    expect(await kept()).toEqual([id]);
  });

  test('stays while a batch uses its file, and both are deleted with the batch', async () => {
    const { db } = fixture.ctx;
    const shown = await completed();
    const batch = await fixture.submit(operation, { behaviour: 'copy' }, { lane: 'batch', settled: [] });
    const claim = await claimJob(db, batch);
    if (!claim) throw new Error('no claim');
    const outcome = { status: 'success', engine: 'x', warnings: [] } as const;
    await settleItem(db, claim, { position: 1, outcome, files: [file('own')] });
    await db.insert(batchItems).values({ jobId: batch, position: 0, outcome, fileKey: file(shown).key });
    await completeJob(fixture.ctx, claim, { files: [], engine: 'x', warnings: [] });
    await age(shown, 91);
    await age(batch, 10);
    await purgeOldRecords(fixture.ctx);
    expect(await kept()).toEqual([shown, batch].toSorted());
    await age(batch, 91);
    await purgeOldRecords(fixture.ctx);
    await purgeOldRecords(fixture.ctx);
    expect(await kept()).toEqual([]);
    expect(await db.$count(batchItems)).toBe(0);
  });

  test('is deleted with any number of others, in steps', async () => {
    const { db } = fixture.ctx;
    const id = await completed();
    await age(id, 91);
    const columns = sql`account_id, operation_id, params, facts, status, held_micro_usd, created_at, completed_at`;
    await db.execute(sql`insert into jobs (id, ${columns})
      select 'copy_' || n, ${columns} from jobs, generate_series(1, 1200) as n`);
    await purgeOldRecords(fixture.ctx);
    expect(await kept()).toEqual([]);
  });
});

test('finished deliveries are deleted 30 days after their creation, with their attempts', async () => {
  const { ctx, actor } = fixture;
  const made = (days: number, state: 'pending' | 'delivered' | 'failed') => ({
    accountId: actor.accountId,
    reference: `${state} ${days}`,
    url: 'https://example.com',
    body: '{}',
    state,
    createdAt: new Date(Date.now() - days * 86_400_000),
  });
  const rows = await ctx.db
    .insert(deliveries)
    .values([made(31, 'delivered'), made(31, 'failed'), made(31, 'pending'), made(29, 'delivered')])
    .returning();
  await ctx.db
    .insert(deliveryAttempts)
    .values(rows.map(({ id }) => ({ deliveryId: id, attempt: 1, durationMs: 5, responseStatus: 200 })));
  await purgeOldRecords(ctx);
  const left = await ctx.db.select().from(deliveries);
  expect(left.map(({ reference }) => reference).toSorted()).toEqual(['delivered 29', 'pending 31']);
  expect(await ctx.db.$count(deliveryAttempts)).toBe(2);
});

test.each([
  ['jobs', 'jobs_created'],
  ['webhook_deliveries', 'webhook_deliveries_created'],
])('the newest and oldest %s are found by an index', async (table, index) => {
  const plan = await fixture.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    return await tx.execute(sql`explain select from ${sql.identifier(table)}
      where created_at > now() - interval '24 hours'`);
  });
  expect(JSON.stringify(plan)).toContain(index);
});

test.each(['JOB_RETENTION_DAYS', 'DELIVERY_RETENTION_DAYS'])('%s is at least a day', (name) => {
  expect(() => readEnv({ [name]: '0.5' })).toThrow(`${name}: `);
  expect(readEnv({ [name]: '1' })).toMatchObject({ [name]: 1 });
});
