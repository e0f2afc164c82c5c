import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { and, isNull, lte, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { isAlive } from '../../../../server/base/is-alive.ts';
import type { Runner } from '../../../../server/jobs/runner/runner.ts';
import { readBalance, reconcileBalances } from '../../../../server/money/wallet/index.ts';
import { createRunnerHarness, type RunnerHarness, WITHIN } from '../../../support/service/runner-harness.ts';

let harness: RunnerHarness;
let runner: Runner;

beforeEach(async () => {
  harness = await createRunnerHarness();
  runner = await harness.start();
});
afterEach(async () => {
  await runner.stop();
  expect(await reconcileBalances(harness.fixture.ctx.db)).toEqual({ ok: true, faults: [] });
  await harness.fixture.close();
});

describe('a runner that shuts down', () => {
  test('waits for its runs within the shutdown time', async () => {
    const id = await harness.submit({ behaviour: 'slow', durationMs: 500, mark: harness.mark('began') });
    await expect.poll(() => existsSync(harness.mark('began')), WITHIN).toBe(true);
    await runner.stop(10_000);
    expect(await harness.view(id)).toMatchObject({ status: 'COMPLETED' });
  });

  test('hands back longer jobs, which others claim at once, without counting the attempt', async () => {
    const id = await harness.submit({ behaviour: 'slow', durationMs: 2_000, mark: harness.mark('began') });
    await expect.poll(() => existsSync(harness.mark('began')), WITHIN).toBe(true);
    await runner.stop(0);
    const pid = Number(await readFile(harness.mark('began'), 'utf8'));
    expect(isAlive(pid)).toBe(false);
    expect(await harness.view(id)).toMatchObject({ status: 'PROCESSING' });
    expect(await harness.attempts(id)).toBe(0);
    const isDue = and(isNull(schema.queueEntries.lockedBy), lte(schema.queueEntries.runAt, sql`now()`));
    expect(await harness.fixture.ctx.db.$count(schema.queueEntries, isDue)).toBe(1);
    expect(await harness.fixture.ctx.db.$count(schema.runners)).toBe(0);
    runner = await harness.start();
    expect(await harness.ended(id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a runner that loses its connection', () => {
  test('stops its runs, reconnects, and finishes the job', { tags: ['long'] }, async () => {
    const id = await harness.submit({ behaviour: 'slow', durationMs: 1_000 });
    await expect.poll(async () => (await harness.view(id)).status, WITHIN).toBe('PROCESSING');
    const lost = await harness.fixture.ctx.db.execute(sql`
      select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())`);
    expect(lost.length).toBeGreaterThan(0);
    expect(await harness.ended(id)).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.002' } });
    expect((await readBalance(harness.fixture.ctx.db, harness.fixture.actor.accountId)).balance).toBe(
      998_000n,
    );
  });
});

test('several runners share the jobs, and each job runs once', { tags: ['long'] }, async () => {
  const other = await harness.start();
  const ids = await Promise.all(Array.from({ length: 40 }, () => harness.submit({ behaviour: 'copy' })));
  const views = [];
  for (const id of ids) views.push(await harness.ended(id));
  await other.stop();
  expect(views.every(({ status }) => status === 'COMPLETED')).toBe(true);
  expect(new Set(await Promise.all(ids.map(harness.attempts)))).toEqual(new Set([1]));
  expect((await readBalance(harness.fixture.ctx.db, harness.fixture.actor.accountId)).balance).toBe(
    1_000_000n - 40n * 2_000n,
  );
});
