import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findEngine } from '../../../../models/acceptance/find-acceptance-status.ts';
import { weightFileName } from '../../../../models/core/runtime/weight-card.ts';
import { REMOVE_BG_WEIGHTS } from '../../../../models/matting/weights.ts';
import { OPERATIONS } from '../../../../models/registry.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { createModelMemory } from '../../../../server/jobs/runs/model-memory.ts';
import { AcceptanceStore } from '../../../../server/runtime/acceptance/index.ts';
import { MEASURED_SEPARATION } from '../../../support/models/measured-separation.ts';

const { matte, 'isnet-general-use': isnet, 'birefnet-lite-fp16': birefnet } = REMOVE_BG_WEIGHTS;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'network-memory-'));
  for (const card of [isnet, birefnet])
    await writeFile(join(directory, weightFileName(card)), 'its name matters');
});
afterAll(() => rm(directory, { recursive: true }));

const ask = (environment: Record<string, string>, operationId = 'remove-bg') =>
  createModelMemory(readEnv({ DATA_DIR: join(directory, 'data'), MODELS_LICENCES: 'all', ...environment }))(
    operationId,
  );

describe('the memory of the largest model that an operation can use', () => {
  test('is that of the bundled model where no other is available', async () => {
    expect(await ask({ MODELS_OFFLINE: '1' })).toBe(matte.memoryBytes);
  });

  test('is that of a model in the mirror, within INFERENCE_MEMORY_MB', async () => {
    const mirrored = { MODELS_OFFLINE: '1', MODEL_MIRROR: directory };
    expect(await ask(mirrored)).toBe(isnet.memoryBytes);
    expect(await ask({ ...mirrored, INFERENCE_MEMORY_MB: '1000' })).toBe(matte.memoryBytes);
    expect(await ask({ ...mirrored, INFERENCE_MEMORY_MB: '5000' })).toBe(birefnet.memoryBytes);
  });

  test('leaves out weights that may not be used commercially, unless the operator takes all', async () => {
    const mirrored = { MODELS_OFFLINE: '1', MODEL_MIRROR: directory, INFERENCE_MEMORY_MB: '5000' };
    expect(await ask({ ...mirrored, MODELS_LICENCES: 'commercial' })).toBe(matte.memoryBytes);
  });

  test('is that of a model within the limit of a run', async () => {
    const of = createModelMemory(
      readEnv({ DATA_DIR: directory, MODELS_OFFLINE: '1', MODEL_MIRROR: directory, MODELS_LICENCES: 'all' }),
    );
    expect(await of('remove-bg', isnet.memoryBytes)).toBe(isnet.memoryBytes);
    expect(await of('remove-bg', isnet.memoryBytes - 1)).toBe(matte.memoryBytes);
    expect(await of('remove-bg', matte.memoryBytes - 1)).toBe(0);
  });

  test('is that of a model that can be downloaded', async () => {
    expect(await ask({})).toBe(isnet.memoryBytes);
  });

  test('is that of all networks that are open at once', async () => {
    expect(await ask({ MODELS_LICENCES: 'commercial' }, 'audio-separate-stems')).toBe(680_000_000);
    expect(await ask({ MODELS_OFFLINE: '1' }, 'audio-separate-stems')).toBe(150_000_000);
  });

  test('is what was measured next to jobs where that is more than is declared, and leaves out what failed', async () => {
    const data = join(directory, 'measured');
    const found = findEngine(OPERATIONS, 'audio-separate-stems', 'stems');
    if (!found) throw new Error('there is no such engine');
    const store = new AcceptanceStore(readEnv({ DATA_DIR: data }));
    const settings = { MODELS_OFFLINE: '1', DATA_DIR: data };
    for (const [memoryBytes, expected] of [
      [450_000_000, 450_000_000],
      [90_000_000, 150_000_000],
    ] as const) {
      await store.write('audio-separate-stems', found.engine, { ...MEASURED_SEPARATION, memoryBytes });
      expect(await ask(settings, 'audio-separate-stems')).toBe(expected);
    }
    const failed = { ...MEASURED_SEPARATION, passed: false, memoryBytes: 450_000_000 };
    await store.write('audio-separate-stems', found.engine, failed);
    expect(await ask(settings, 'audio-separate-stems')).toBe(0);
  });

  test('is 0 for an operation without models', async () => {
    expect(await ask({}, 'media-convert-image')).toBe(0);
  });
});
