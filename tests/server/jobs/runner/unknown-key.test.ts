// @module-tag long

import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBreakers } from '../../../../server/base/breakers.ts';
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
