// @module-tag long

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createBreakers } from '../../../../server/base/breakers.ts';
import { schema } from '../../../../server/base/database/db.ts';
import {
  createAttemptFences,
  createUncountedAttempts,
} from '../../../../server/jobs/runner/attempt-registry.ts';
import { openLanes } from '../../../../server/jobs/runner/lanes.ts';
import { openSession } from '../../../../server/jobs/runner/session.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import { createRunnerHarness, WITHIN } from '../../../support/service/runner-harness.ts';

test('a session that cannot open ends what has begun, and hands it back', async () => {
  const harness = await createRunnerHarness({ RUNNER_CONCURRENCY: '1' });
  const { ctx, url: databaseUrl } = harness.fixture;
  const mark = harness.mark('began');
  const id = await harness.submit(
    { behaviour: 'slow', durationMs: 600_000, mark },
    { facts: { durationSeconds: 3600 } },
  );
  const lanes = openLanes({
    env: ctx.env,
    log: ctx.log,
    memoryBytesMax: OPERATIONS['test-run'].limits.memoryBytesMax,
    operationsModule: fileURLToPath(
      new URL('../../../support/operations/test-operations.ts', import.meta.url),
    ),
  });
  const deps = {
    ctx,
    lanes,
    databaseUrl,
    operations: OPERATIONS,
    fences: createAttemptFences(),
    uncountedAttempts: createUncountedAttempts(),
    breakers: createBreakers(),
  };
  await ctx.db.execute(sql`create function refuse_task() returns trigger language plpgsql as
    $$ begin raise exception 'no place for tasks'; end $$`);
  await ctx.db.execute(sql`create trigger refusing before insert on scheduled_tasks
    for each statement execute function refuse_task()`);
  const opening = await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`lock table scheduled_tasks`);
    const session = Promise.allSettled([openSession({ ...deps, largestModelBytes: async () => 0 })]);
    await expect.poll(() => existsSync(mark), WITHIN).toBe(true);
    return { session };
  });
  const cause = { message: 'no place for tasks' };
  expect(await opening.session).toMatchObject([{ status: 'rejected', reason: { cause } }]);
  expect(await harness.view(id)).toMatchObject({ status: 'PROCESSING' });
  expect(await harness.attempts(id)).toBe(0);
  expect(await ctx.db.query.queueEntries.findMany()).toMatchObject([{ id, lockedBy: null, failures: 0 }]);
  expect(await ctx.db.$count(schema.runners)).toBe(0);
  lanes.close();
  await harness.fixture.close();
});
