import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { schema } from '../../../server/base/db.ts';
import { createAttemptFences } from '../../../server/runner/attempt/fences.ts';
import { openLanes } from '../../../server/runner/lanes/lanes.ts';
import { openSession } from '../../../server/runner/session.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { createRunnerHarness, WITHIN } from '../../support/service/runner-harness.ts';

test('a session that cannot open ends what has begun, and hands it back', async () => {
  const harness = await createRunnerHarness({ RUNNER_CONCURRENCY: '1' });
  const { ctx, url: databaseUrl } = harness.fixture;
  const mark = harness.mark('began');
  const id = await harness.submit(
    { behaviour: 'slow', durationMs: 600_000, mark },
    { facts: { durationSeconds: 3600 } },
  );
  const lanes = openLanes({
    ...{ env: ctx.env, log: ctx.log, memoryBytesMax: OPERATIONS['test-run'].limits.memoryBytesMax },
    operationsModule: fileURLToPath(new URL('../../support/operations/test-operations.ts', import.meta.url)),
  });
  const connections = new Pool({ connectionString: databaseUrl });
  connections.connect = async () => {
    await expect.poll(() => existsSync(mark), WITHIN).toBe(true);
    throw new Error('no connection for chores');
  };
  const deps = {
    ctx,
    lanes,
    databaseUrl,
    connections,
    operations: OPERATIONS,
    fences: createAttemptFences(),
  };
  await expect(openSession({ ...deps, largestModelBytes: async () => 0 })).rejects.toThrow('no connection');
  expect(await harness.view(id)).toMatchObject({ status: 'PROCESSING' });
  expect(await harness.attempts(id)).toBe(0);
  expect(await ctx.db.query.queueEntries.findMany()).toMatchObject([{ id, lockedBy: null, failures: 0 }]);
  expect(await ctx.db.$count(schema.runners)).toBe(0);
  lanes.close();
  await connections.end();
  await harness.fixture.close();
});
