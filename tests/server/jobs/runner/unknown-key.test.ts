// @module-tag long

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBreakers } from '../../../../server/base/breakers.ts';
import { getKeyId } from '../../../../server/base/secrets/index.ts';
import { startRunner } from '../../../../server/jobs/runner/runner.ts';
import { addReceiptKey } from '../../../../server/money/receipts.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import {
  createRunnerHarness,
  operationsModule,
  type RunnerHarness,
  WITHIN,
} from '../../../support/service/runner-harness.ts';

const [OLD, NEW] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

let harness: RunnerHarness;
beforeEach(async () => {
  vi.stubEnv('SECRETS_KEY', OLD);
  harness = await createRunnerHarness();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await harness.fixture.close();
});

test('jobs wait for a runner that knows the key of the secrets, with an error in the log', async () => {
  const { ctx: plain, url } = harness.fixture;
  const errors: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
  const ctx = { ...plain, log };
  vi.stubEnv('SECRETS_KEY', `${NEW},${OLD}`);
  await addReceiptKey(ctx.db);
  vi.stubEnv('SECRETS_KEY', OLD);
  const breakers = createBreakers();
  const runner = startRunner(ctx, { databaseUrl: url, operations: OPERATIONS, operationsModule, breakers });
  await runner.ready;
  const id = await harness.submit({ behaviour: 'copy' });
  await expect.poll(() => errors.length, WITHIN).toBeGreaterThan(0);
  expect(errors[0]).toContain('"dependency":"secrets key"');
  expect(await harness.attempts(id)).toBeLessThanOrEqual(1);
  vi.stubEnv('SECRETS_KEY', `${NEW},${OLD}`);
  expect(await harness.endedWithoutPauses(id)).toMatchObject({ status: 'COMPLETED' });
  expect(await harness.attempts(id)).toBe(1);
  expect(breakers.listOpen()).toEqual([]);
  await runner.stop();
});

test('a runner that waits for a key at its start reports that it lives, until it is stopped', async () => {
  const { ctx, url } = harness.fixture;
  await addReceiptKey(ctx.db);
  const runner = spawn(process.execPath, ['--import', 'tsx', 'server/ops/process/runner.ts'], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: ctx.env.DATA_DIR, SECRETS_KEY: NEW },
    stdio: 'ignore',
  });
  try {
    await expect
      .poll(() => ctx.db.query.processes.findMany(), WITHIN)
      .toEqual([
        expect.objectContaining({
          part: 'runner',
          pid: runner.pid,
          facts: expect.objectContaining({
            waitsForKey: true,
            secretsKeys: [getKeyId(Buffer.from(NEW, 'base64'))],
          }),
        }),
      ]);
  } finally {
    const ended = once(runner, 'exit');
    runner.kill();
    await ended;
  }
  expect(await ctx.db.query.processes.findMany()).toEqual([]);
});
