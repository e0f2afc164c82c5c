// @module-tag long

import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Runner } from '../../../server/jobs/runner/runner.ts';
import { createRunnerHarness, type RunnerHarness, WITHIN } from '../../support/service/runner-harness.ts';

const MB = 1_000_000;
let harness: RunnerHarness;
let runner: Runner;

beforeEach(async () => {
  harness = await createRunnerHarness({ RUNNER_CONCURRENCY: '2', RUNNER_MEMORY_MB: '800' });
  runner = await harness.start();
});
afterEach(async () => {
  await runner.stop(0);
  await harness.fixture.close();
});

test.each([
  ['an image', {}],
  ['a video', { durationSeconds: 3600 }],
])('%s with room passes those without, which stay free for other runners', async (_, facts) => {
  const endless = { behaviour: 'slow', durationMs: 600_000 };
  const hungry = (name: string) =>
    harness.submit({ ...endless, mark: harness.mark(name) }, { facts: { ...facts, memoryBytes: 500 * MB } });
  const first = await hungry('first');
  await expect.poll(() => existsSync(harness.mark('first')), WITHIN).toBe(true);
  const waiting = [await hungry('second'), await hungry('third')];
  const small = await harness.submit({ behaviour: 'copy' }, { facts: { memoryBytes: 300 * MB } });
  expect(await harness.ended(small)).toMatchObject({ status: 'COMPLETED' });
  expect(await harness.view(first)).toMatchObject({ status: 'PROCESSING' });
  for (const id of waiting) expect(await harness.view(id)).toMatchObject({ status: 'QUEUED' });
});
