// @module-tag long

import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../../../models/core/operation/define-operation.ts';
import type { EngineNeed } from '../../../../models/core/operation/engine-needs.ts';
import { isTerminal } from '../../../../models/core/operation/job.ts';
import { OPERATIONS as PRODUCT } from '../../../../models/registry.ts';
import { type Breakers, createBreakers } from '../../../../server/base/breakers.ts';
import { schema } from '../../../../server/base/database/db.ts';
import type { Dependency } from '../../../../server/base/outage.ts';
import { claimJob, getJob } from '../../../../server/jobs/index.ts';
import {
  createAttemptFences,
  createUncountedAttempts,
} from '../../../../server/jobs/runner/attempt-registry.ts';
import { type Lanes, openLanes } from '../../../../server/jobs/runner/lanes.ts';
import { runJob } from '../../../../server/jobs/runner/run-job.ts';
import { needsModelServer } from '../../../../server/jobs/runs/run-decision.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import { createJobFixture, type JobFixture } from '../../../support/service/job-fixture.ts';

const OPEN_AFTER = 3;
const PAUSE_MS = 1_000;
const SERVED = 'u2netp';
const operation = OPERATIONS['test-run'];
let fixture: JobFixture;
let lanes: Lanes;
let breakers: Breakers;
let nowMs: number;

beforeEach(async () => {
  const environment = { MODELS_OFFLINE: '1', INFERENCE_ENDPOINTS: `${SERVED}=http://127.0.0.1:9/v2` };
  fixture = await createJobFixture({ environment });
  const { env, log } = fixture.ctx;
  const operationsModule = fileURLToPath(
    new URL('../../../support/operations/test-operations.ts', import.meta.url),
  );
  lanes = openLanes({ env, operationsModule, memoryBytesMax: operation.limits.memoryBytesMax, log });
  nowMs = 0;
  breakers = createBreakers(() => nowMs);
});
afterEach(async () => {
  lanes.close();
  await fixture.close();
});

function open(dependency: Dependency): void {
  for (let failure = 0; failure < OPEN_AFTER; failure++) breakers.recordFailure(dependency);
}

const listOpen = () => breakers.listOpen().map(({ dependency }) => dependency);

/** Makes an attempt at a job. @returns whether it ended the job */
async function attempt(id: string, run: Operation = operation): Promise<boolean> {
  const { signal } = new AbortController();
  const kept = {
    workerId: 'a runner',
    fences: createAttemptFences(),
    uncountedAttempts: createUncountedAttempts(),
    breakers,
    signal,
  };
  const operations = { 'test-run': run };
  const deps = { ctx: fixture.ctx, lanes, operations, largestModelBytes: async () => 0, ...kept };
  const claim = await claimJob(fixture.ctx.db, id);
  if (!claim) throw new Error('the job has ended');
  await runJob(deps, { claim, startMs: Date.now() });
  const { status } = await getJob(fixture.ctx, { accountId: fixture.actor.accountId, id });
  return isTerminal(status);
}

test.each(['exit'] as const)(
  'a run that ends by %s shows that the store works, and nothing about memory',
  async (behaviour) => {
    open('memory');
    open('store');
    await attempt(await fixture.submit(operation, { behaviour }));
    expect(listOpen()).toEqual(['memory']);
  },
);

describe('a run whose only engine is on a model server', () => {
  const need: EngineNeed = {
    field: 'engine',
    value: SERVED,
    engines: [SERVED],
    code: 'engine_unavailable',
  };
  const { engines } = PRODUCT['remove-bg'];
  const served: Operation = { ...operation, ...(engines && { engines }), engineNeeds: () => [need] };

  test('waits while the breaker of model servers is open, and closes it with its result', async () => {
    open('model server');
    const id = await fixture.submit(operation, { behaviour: 'copy' });
    expect(await attempt(id, served)).toBe(false);
    const [waiting] = await fixture.ctx.db.select().from(schema.jobs);
    expect(waiting).toMatchObject({ status: 'PROCESSING', attempt: 1, uncountedAttempts: 1 });
    expect(listOpen()).toEqual(['model server']);
    nowMs += PAUSE_MS;
    expect(await attempt(id, served)).toBe(true);
    expect(await fixture.ctx.db.select().from(schema.jobs)).toMatchObject([{ status: 'COMPLETED' }]);
    expect(listOpen()).toEqual([]);
  });

  test('holds up no other run', async () => {
    open('model server');
    expect(await attempt(await fixture.submit(operation, { behaviour: 'copy' }))).toBe(true);
    expect(listOpen()).toEqual(['model server']);
  });

  test('is one whose params allow no engine of this machine', async () => {
    const removal = PRODUCT['remove-bg'];
    const { ctx } = fixture;
    expect(await needsModelServer(ctx, removal, { engine: SERVED })).toBe(true);
    expect(await needsModelServer(ctx, removal, { engine: 'auto' })).toBe(false);
    expect(await needsModelServer(ctx, removal, { engine: 'matte' })).toBe(false);
    const alone = { env: { ...ctx.env, INFERENCE_ENDPOINTS: new Map() } };
    expect(await needsModelServer(alone, removal, { engine: SERVED })).toBe(false);
  });
});
