import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isTerminal } from '../../../models/job.ts';
import type { JobView } from '../../../models/job-view.ts';
import { schema } from '../../../server/db.ts';
import { getJob } from '../../../server/jobs/index.ts';
import { type Runner, startRunner } from '../../../server/runner/runner.ts';
import { balance, reconcile } from '../../../server/wallet/index.ts';
import { createJobFixture, type JobFixture } from '../../support/job-fixture.ts';
import { OPERATIONS } from '../../support/test-operations.ts';

const operation = OPERATIONS['test-run'];
const operationsModule = fileURLToPath(new URL('../../support/test-operations.ts', import.meta.url));
const WITHIN = { timeout: 25_000, interval: 20 };
let fixture: JobFixture;
let runner: Runner;

function start(): Runner {
  return startRunner(fixture.ctx, { databaseUrl: fixture.url, operations: OPERATIONS, operationsModule });
}
beforeEach(async () => {
  fixture = await createJobFixture();
  runner = start();
  await runner.ready;
});
afterEach(async () => {
  await runner.stop();
  expect(await reconcile(fixture.ctx.db)).toEqual({ ok: true, faults: [] });
  await fixture.close();
});

const view = (id: string): Promise<JobView> =>
  getJob(fixture.ctx, { accountId: fixture.actor.accountId, id });
async function ended(id: string): Promise<JobView> {
  await expect.poll(async () => isTerminal((await view(id)).status), WITHIN).toBe(true);
  return await view(id);
}
async function run(params: object): Promise<JobView> {
  return await ended(await fixture.submit(operation, params));
}
async function attempts(id: string): Promise<number | undefined> {
  const [job] = await fixture.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, id));
  return job?.attempt;
}
const mark = (name: string): string => join(fixture.ctx.env.DATA_DIR, name);
/** Failed entries wait for seconds; a test has no such time. */
const hurry = () =>
  fixture.ctx.db.execute(sql`select graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs where locked_at is null), run_at => now())`);
async function queueIsEmpty(): Promise<boolean> {
  return (await fixture.ctx.db.execute(sql`select from graphile_worker.jobs`)).length === 0;
}

describe('a job ends', () => {
  test('COMPLETED with its files in storage, its input gone and nothing left over', async () => {
    const done = await run({ behaviour: 'copy' });
    expect(done).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.002' }, progress: 1 });
    const { storage, db, env } = fixture.ctx;
    const [output] = await db.select().from(schema.files).where(eq(schema.files.role, 'output'));
    const { stream } = await storage.get(output?.key ?? '');
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('some bytes');
    await expect.poll(queueIsEmpty, WITHIN).toBe(true);
    expect(await readdir(join(env.DATA_DIR, 'runs'))).toEqual([]);
    const [input] = await db.select().from(schema.files).where(eq(schema.files.role, 'input'));
    expect(input?.deletedAt).not.toBeNull();
    await expect(storage.get(input?.key ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('FAILED at once when its input is at fault', async () => {
    const id = await fixture.submit(operation, { behaviour: 'corrupt' });
    expect(await ended(id)).toMatchObject({ status: 'FAILED', error: 'The image is damaged.' });
    expect(await attempts(id)).toBe(1);
  });

  test('FAILED at once when it needs too much memory', async () => {
    const id = await fixture.submit(operation, { behaviour: 'hog' });
    expect(await ended(id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('memory') });
    expect(await attempts(id)).toBe(1);
  });

  test('FAILED when it makes a fresh process crash, too', async () => {
    const id = await fixture.submit(operation, { behaviour: 'crash' });
    expect(await ended(id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('crash') });
    expect(await attempts(id)).toBe(1);
  });

  test('COMPLETED when only the first of two processes crashed', async () => {
    expect(await run({ behaviour: 'crash-once', mark: mark('crash') })).toMatchObject({
      status: 'COMPLETED',
    });
  });

  test('ERROR after three attempts when the fault is ours', async () => {
    const id = await fixture.submit(operation, { behaviour: 'broken' });
    for (const attempt of [1, 2]) {
      await expect.poll(() => attempts(id), WITHIN).toBe(attempt);
      await expect.poll(async () => (await hurry()).length, WITHIN).toBe(1);
    }
    expect(await ended(id)).toMatchObject({
      status: 'ERROR',
      error: expect.stringMatching(/^processing_failed: /),
      billing: { held_usd: '0.00', charged_usd: '0.00' },
    });
    expect(await attempts(id)).toBe(3);
    expect((await balance(fixture.ctx.db, fixture.actor.accountId)).available).toBe(1_000_000n);
  });
});

describe('a runner that stops', () => {
  test('lets run what runs, if it has the time', async () => {
    const id = await fixture.submit(operation, { behaviour: 'slow', durationMs: 500, mark: mark('began') });
    await expect.poll(() => existsSync(mark('began')), WITHIN).toBe(true);
    await runner.stop(10_000);
    expect(await view(id)).toMatchObject({ status: 'COMPLETED' });
  });

  test('hands back what takes longer, for others to take at once, and it does not count', async () => {
    const id = await fixture.submit(operation, { behaviour: 'slow', durationMs: 2_000, mark: mark('began') });
    await expect.poll(() => existsSync(mark('began')), WITHIN).toBe(true);
    await runner.stop(0);
    const pid = Number(await readFile(mark('began'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await view(id)).toMatchObject({ status: 'PROCESSING' });
    expect(await attempts(id)).toBe(0);
    expect(
      await fixture.ctx.db.execute(
        sql`select from graphile_worker.jobs where locked_at is null and run_at <= now()`,
      ),
    ).toHaveLength(1);
    expect(await fixture.ctx.db.$count(schema.runners)).toBe(0);
    runner = start();
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a runner that loses its connection', () => {
  test('stops what it runs, comes back, and finishes the job', async () => {
    const id = await fixture.submit(operation, { behaviour: 'slow', durationMs: 1_000 });
    await expect.poll(async () => (await view(id)).status, WITHIN).toBe('PROCESSING');
    const lost = await fixture.ctx.db.execute(sql`
      select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())`);
    expect(lost.length).toBeGreaterThan(0);
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.002' } });
    expect((await balance(fixture.ctx.db, fixture.actor.accountId)).balance).toBe(998_000n);
  });
});

test('several runners share the work, each job running once', async () => {
  const other = start();
  await other.ready;
  const ids = await Promise.all(
    Array.from({ length: 40 }, () => fixture.submit(operation, { behaviour: 'copy' })),
  );
  const views = await Promise.all(ids.map(ended));
  await other.stop();
  expect(views.every(({ status }) => status === 'COMPLETED')).toBe(true);
  expect(new Set(await Promise.all(ids.map(attempts)))).toEqual(new Set([1]));
  expect((await balance(fixture.ctx.db, fixture.actor.accountId)).balance).toBe(1_000_000n - 40n * 2_000n);
});
