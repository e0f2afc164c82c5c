import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RECORDED } from '../../../../models/acceptance/find-acceptance-status.ts';
import type { Context } from '../../../../server/base/context.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { startModelUpkeep } from '../../../../server/jobs/runner/keep-models.ts';
import { AcceptanceStore } from '../../../../server/runtime/acceptance/index.ts';
import { listAllEngines } from '../../../../server/runtime/acceptance/list-all-engines.ts';
import { findEngineAvailability } from '../../../../server/runtime/inference/engine-availability.ts';

const FAST = listAllEngines().filter(({ engine }) => engine.id === 'darkroom-fast');
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'darkroom-acceptance-'));
  vi.stubEnv('DATA_DIR', directory);
  vi.stubEnv('MODELS_OFFLINE', '1');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

function createContext() {
  const env = readEnv({ DATA_DIR: directory, MODELS_OFFLINE: '1', ACCEPTANCE_DELAY_SECONDS: '0' });
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  return { ctx: { env, log } as unknown as Context, log, store: new AcceptanceStore(env) };
}

it('measures each engine that is here once, in a separate process, and remembers the result', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  const { ctx, log, store } = createContext();
  const reserveIdle = vi.fn(async () => () => {});
  const end = startModelUpkeep(ctx, { engines: FAST, reserveIdle });
  const [own] = FAST;
  if (!own) throw new Error('there is no such engine');
  const measured = await vi.waitFor(
    async () => {
      const found = await store.read('upscale', own.engine);
      expect(found).not.toBeNull();
      return found;
    },
    { timeout: 150_000, interval: 100 },
  );
  expect(measured).toMatchObject({ measure: 'PSNR', passed: true, per: 'megapixel' });
  expect(measured?.figure).toBeCloseTo(RECORDED['darkroom-fast'].figure, 1);
  expect(measured?.memoryBytes).toBeGreaterThan(5e6);
  expect(measured?.seconds).toBeGreaterThan(0);
  expect(measured?.wasAlone).toBe(true);
  await end();
  expect(log.error).not.toHaveBeenCalled();
  const again = startModelUpkeep(ctx, { engines: FAST, reserveIdle });
  await vi.waitFor(() => expect(reserveIdle).toHaveBeenCalledTimes(1));
  await again();
  expect(await store.read('upscale', own.engine)).toEqual(measured);
  // What a job measured tells little of the memory: the engine is measured again.
  if (!measured) throw new Error('it was not measured');
  await store.write('upscale', own.engine, { ...measured, wasAlone: false });
  const once = startModelUpkeep(ctx, { engines: FAST, reserveIdle });
  await vi.waitFor(async () => expect((await store.read('upscale', own.engine))?.wasAlone).toBe(true), {
    timeout: 150_000,
    interval: 100,
  });
  await once();
});

it('makes an engine that failed unavailable, with the reason', async () => {
  const { ctx, store } = createContext();
  const [own] = FAST;
  if (!own) throw new Error('there is no such engine');
  expect(await findEngineAvailability(ctx, own.engine)).toEqual({ isAvailable: true });
  const failed = {
    measure: 'PSNR',
    figure: 9.5,
    floor: 27.2,
    passed: false,
    seconds: 1,
    per: 'megapixel',
    memoryBytes: 1e8,
    measuredAt: '2026-01-01T00:00:00.000Z',
  } as const;
  await store.write('upscale', own.engine, failed);
  expect(await findEngineAvailability(ctx, own.engine)).toEqual({
    isAvailable: false,
    isLasting: true,
    reason: 'It failed its acceptance test: PSNR 9.5, and at least 27.2 is needed.',
  });
  await store.write('upscale', own.engine, { ...failed, figure: 28, passed: true, memoryBytes: 9e9 });
  expect(await findEngineAvailability(ctx, own.engine)).toMatchObject({
    isAvailable: false,
    reason: 'It needs 9000 MB of memory, and INFERENCE_MEMORY_MB allows 2000.',
  });
});
