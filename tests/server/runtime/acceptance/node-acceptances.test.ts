import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findEngine } from '../../../../models/acceptance/find-acceptance-status.ts';
import { NO_MODELS } from '../../../../models/core/inference/model-errors.ts';
import { OPERATIONS } from '../../../../models/registry.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { AcceptanceStore } from '../../../../server/runtime/acceptance/index.ts';
import { NodeAcceptances } from '../../../../server/runtime/acceptance/node-acceptances.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'acceptances-'));
  const store = new AcceptanceStore(readEnv({ DATA_DIR: directory }));
  const found = findEngine(OPERATIONS, 'audio-separate-stems', 'stems');
  if (!found) throw new Error('there is no such engine');
  await store.write('audio-separate-stems', found.engine, {
    measure: 'SI-SDR',
    figure: 2.8,
    floor: 2,
    passed: true,
    seconds: 0.5,
    per: 'second',
    memoryBytes: 700_000_000,
    measuredAt: '2026-01-01T00:00:00.000Z',
  });
});
afterAll(() => rm(directory, { recursive: true }));

async function getState(engine: string, settings: Record<string, string>, modelBytesMax?: number) {
  const store = new AcceptanceStore(readEnv({ DATA_DIR: directory, ...settings }));
  const options = { operations: OPERATIONS, store, inference: NO_MODELS, modelBytesMax };
  return await new NodeAcceptances(options).find('audio-separate-stems', engine);
}

describe('what a run knows of an engine', () => {
  it('goes by the memory that was measured here, not by what is declared', async () => {
    expect(await getState('stems', {})).toMatchObject({ state: 'passed', quality: 2.8 });
    expect(await getState('stems', { INFERENCE_MEMORY_MB: '500' })).toEqual({
      state: 'failed',
      reason: 'It needs 700 MB of memory, and INFERENCE_MEMORY_MB allows 500.',
    });
  });

  it('takes no lack of weights for a failed test: it can be measured once they are there', async () => {
    const store = new AcceptanceStore(readEnv({ DATA_DIR: directory }));
    const acceptances = new NodeAcceptances({ operations: OPERATIONS, store, inference: NO_MODELS });
    const { signal } = new AbortController();
    await expect(acceptances.measure('remove-bg', 'u2netp', { signal })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await acceptances.find('remove-bg', 'u2netp')).toEqual({ state: 'unknown' });
  });

  it('goes by all models that an engine opens at once, where the run may use less', async () => {
    expect(await getState('spleeter-4stems-fp16', {})).toEqual({ state: 'unknown' });
    expect(await getState('spleeter-4stems-fp16', {}, 200_000_000)).toEqual({
      state: 'failed',
      reason: 'Its models need 680 MB of memory, more than this run may use.',
    });
  });
});
