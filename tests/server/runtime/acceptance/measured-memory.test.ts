import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findEngine } from '../../../../models/acceptance/find-acceptance-status.ts';
import { NO_MODELS } from '../../../../models/core/inference/model-errors.ts';
import { declaredMemory } from '../../../../models/core/runtime/fit.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS } from '../../../../models/operations/stems/weights.ts';
import { OPERATIONS } from '../../../../models/registry.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { createModelMemory } from '../../../../server/jobs/runs/model-memory.ts';
import { AcceptanceStore, createCardMemory } from '../../../../server/runtime/acceptance/index.ts';
import { NodeAcceptances } from '../../../../server/runtime/acceptance/node-acceptances.ts';
import { findEngineAvailability } from '../../../../server/runtime/inference/engine-availability.ts';
import { openInference } from '../../../../server/runtime/inference/index.ts';
import { MEASURED_SEPARATION } from '../../../support/models/measured-separation.ts';

const OPERATION = 'audio-separate-stems';
const MEGABYTE = 1_000_000;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'measured-memory-'));
});
afterEach(() => rm(directory, { recursive: true }));

function getEngine(id: string) {
  const found = findEngine(OPERATIONS, OPERATION, id);
  if (!found) throw new Error('there is no such engine');
  return found.engine;
}

/** Sets up an installation where an engine took some memory, and tells what it makes of that. */
async function install(
  id: string,
  memory: { readonly megabytes: number; readonly wasAlone?: boolean },
  allowed: number,
) {
  const env = readEnv({ DATA_DIR: directory, MODELS_OFFLINE: '1', INFERENCE_MEMORY_MB: String(allowed) });
  const store = new AcceptanceStore(env);
  const engine = getEngine(id);
  const { megabytes, ...how } = memory;
  await store.write(OPERATION, engine, { ...MEASURED_SEPARATION, memoryBytes: megabytes * MEGABYTE, ...how });
  const acceptances = new NodeAcceptances({ operations: OPERATIONS, store, inference: NO_MODELS });
  return {
    availability: () => findEngineAvailability({ env }, engine),
    standing: async () => (await acceptances.find(OPERATION, id)).state,
    session: () => openInference(env).availability(AUDIO_SEPARATE_STEMS_WEIGHTS.stems),
    reserved: async () => (await createModelMemory(env)(OPERATION)) / MEGABYTE,
  };
}

describe('the memory of an engine that declares 150 MB', () => {
  it('is what it took in a separate process, below the declared one as well', async () => {
    const here = await install('stems', { megabytes: 90, wasAlone: true }, 100);
    expect(await here.availability()).toEqual({ isAvailable: true });
    expect(await here.standing()).toBe('passed');
    expect(await here.session()).toBe('ready');
    // 50 MB more, for inputs that take more than the samples.
    expect(await here.reserved()).toBe(140);
  });

  it('is what it took in a separate process, above the declared one as well', async () => {
    const here = await install('stems', { megabytes: 600, wasAlone: true }, 500);
    const reason = 'It needs 600 MB of memory, and INFERENCE_MEMORY_MB allows 500.';
    expect(await here.availability()).toMatchObject({ isAvailable: false, reason });
    expect(await here.standing()).toBe('failed');
    expect(await here.session()).toBe('unavailable');
    expect(await here.reserved()).toBe(0);
  });

  it('is reserved with a fifth more', async () => {
    expect(await (await install('stems', { megabytes: 600, wasAlone: true }, 2000)).reserved()).toBe(720);
  });

  it('stays as declared where it took less next to a job, whose memory may have served it', async () => {
    const here = await install('stems', { megabytes: 90 }, 100);
    const reason = 'It needs 150 MB of memory, and INFERENCE_MEMORY_MB allows 100.';
    expect(await here.availability()).toMatchObject({ isAvailable: false, reason });
    expect(await here.session()).toBe('unavailable');
  });
});

it('the memory of a file is its share of what its engine took', async () => {
  const env = readEnv({ DATA_DIR: directory });
  const store = new AcceptanceStore(env);
  const engine = getEngine('spleeter-4stems-fp16');
  expect(declaredMemory(engine)).toBe(680 * MEGABYTE);
  const { 'spleeter-4stems-fp16/bass': card } = AUDIO_SEPARATE_STEMS_WEIGHTS;
  expect(await createCardMemory(store)(card)).toBe(170 * MEGABYTE);
  await store.write(OPERATION, engine, {
    ...MEASURED_SEPARATION,
    memoryBytes: 400 * MEGABYTE,
    wasAlone: true,
  });
  expect(await createCardMemory(store)(card)).toBe(100 * MEGABYTE);
});
