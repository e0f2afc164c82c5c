import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../../server/db.ts';
import { isAlive } from '../../../server/is-alive.ts';
import type { Runner } from '../../../server/runner/runner.ts';
import { balance, reconcile } from '../../../server/wallet/index.ts';
import { createHarness, type Harness, WITHIN } from './harness.ts';

let harness: Harness;
let runner: Runner;

beforeEach(async () => {
  harness = await createHarness();
  runner = await harness.start();
});
afterEach(async () => {
  await runner.stop();
  expect(await reconcile(harness.fixture.ctx.db)).toEqual({ ok: true, faults: [] });
  await harness.fixture.close();
});

describe('a runner that stops', () => {
  test('lets run what runs, if it has the time', async () => {
    const id = await harness.submit({ behaviour: 'slow', durationMs: 500, mark: harness.mark('began') });
    await expect.poll(() => existsSync(harness.mark('began')), WITHIN).toBe(true);
    await runner.stop(10_000);
    expect(await harness.view(id)).toMatchObject({ status: 'COMPLETED' });
  });

  test('hands back what takes longer, for others to take at once, and it does not count', async () => {
    const id = await harness.submit({ behaviour: 'slow', durationMs: 2_000, mark: harness.mark('began') });
    await expect.poll(() => existsSync(harness.mark('began')), WITHIN).toBe(true);
    await runner.stop(0);
    const pid = Number(await readFile(harness.mark('began'), 'utf8'));
    expect(isAlive(pid)).toBe(false);
    expect(await harness.view(id)).toMatchObject({ status: 'PROCESSING' });
    expect(await harness.attempts(id)).toBe(0);
    expect(
      await harness.fixture.ctx.db.execute(
        sql`select from graphile_worker.jobs where locked_at is null and run_at <= now()`,
      ),
    ).toHaveLength(1);
    expect(await harness.fixture.ctx.db.$count(schema.runners)).toBe(0);
    runner = await harness.start();
    expect(await harness.ended(id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a runner that loses its connection', () => {
  test('stops what it runs, comes back, and finishes the job', async () => {
    const id = await harness.submit({ behaviour: 'slow', durationMs: 1_000 });
    await expect.poll(async () => (await harness.view(id)).status, WITHIN).toBe('PROCESSING');
    const lost = await harness.fixture.ctx.db.execute(sql`
      select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())`);
    expect(lost.length).toBeGreaterThan(0);
    expect(await harness.ended(id)).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.002' } });
    expect((await balance(harness.fixture.ctx.db, harness.fixture.actor.accountId)).balance).toBe(998_000n);
  });
});

test('a runner keeps what it runs locked, however long that takes', async () => {
  const { db } = harness.fixture.ctx;
  await harness.submit({ behaviour: 'slow', durationMs: 20_000, mark: harness.mark('began') });
  await expect.poll(() => existsSync(harness.mark('began')), WITHIN).toBe(true);
  // Not yet so long that the queue itself would give it free: it might come first.
  await db.execute(sql`update graphile_worker._private_jobs set locked_at = now() - interval '3 hours'`);
  const fresh = sql`select from graphile_worker.jobs where locked_at > now() - interval '2 hours'`;
  await expect.poll(() => db.execute(fresh), WITHIN).toHaveLength(1);
  await runner.stop(0);
});

test('several runners share the work, each job running once', async () => {
  const other = await harness.start();
  const ids = await Promise.all(Array.from({ length: 40 }, () => harness.submit({ behaviour: 'copy' })));
  const views = await Promise.all(ids.map(harness.ended));
  await other.stop();
  expect(views.every(({ status }) => status === 'COMPLETED')).toBe(true);
  expect(new Set(await Promise.all(ids.map(harness.attempts)))).toEqual(new Set([1]));
  expect((await balance(harness.fixture.ctx.db, harness.fixture.actor.accountId)).balance).toBe(
    1_000_000n - 40n * 2_000n,
  );
});
