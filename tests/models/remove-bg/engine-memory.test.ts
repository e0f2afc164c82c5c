import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FloatImage } from '../../../models/raster.ts';
import { findSubject } from '../../../models/remove-bg/find-subject.ts';
import { MATTE_NETWORKS } from '../../../models/remove-bg/networks.ts';
import { removeBg } from '../../../models/remove-bg/operation.ts';
import { REMOVE_BG_WEIGHTS } from '../../../models/weights/remove-bg.ts';
import { weightFileName } from '../../../models/weights/weight-card.ts';
import { readEnv } from '../../../server/env.ts';
import { openInference } from '../../../server/runtime/inference/index.ts';

const LARGE = REMOVE_BG_WEIGHTS['birefnet-lite-fp16'];
const colours: FloatImage = { width: 64, height: 64, channels: 3, data: new Float32Array(64 * 64 * 3) };
const { signal } = new AbortController();

let directory: string;

/** A machine whose mirror has a file for the largest network, and what its environment says. */
const machine = (environment: Record<string, string> = {}) =>
  openInference(
    readEnv({ DATA_DIR: directory, MODEL_MIRROR: directory, MODELS_OFFLINE: '1', ...environment }),
  );

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'engine-memory-'));
  await writeFile(join(directory, weightFileName(LARGE)), 'only its name matters here');
});

afterAll(() => rm(directory, { recursive: true }));

/** What tests/operations/remove-bg/memory.test.ts holds the largest image to. */
const IMAGE_BYTES = 2_000_000_000;

describe('a run', () => {
  it.each(MATTE_NETWORKS.map(({ card }) => card))('may hold $id and the largest image', ({ memoryBytes }) => {
    expect(removeBg.limits.memoryBytesMax).toBeGreaterThanOrEqual(memoryBytes + IMAGE_BYTES);
  });
});

describe('a network that needs more memory than a runner has for networks', () => {
  it('is not offered, until there is enough', async () => {
    expect(await machine().availability(LARGE)).toBe('unavailable');
    expect(await machine({ INFERENCE_MEMORY_MB: '5000' }).availability(LARGE)).toBe('download');
  });

  it('makes way for the next one without a word, as it was never at hand', async () => {
    const options = { isStill: true, engine: 'auto', signal, onProgress: () => {} };
    const { engine, warnings } = await findSubject(machine(), colours, options);
    expect({ engine, warnings }).toEqual({ engine: 'matte on cpu', warnings: [] });
  });

  it('is an error when it was asked for by name', async () => {
    const options = { isStill: true, engine: LARGE.id, signal, onProgress: () => {} };
    await expect(findSubject(machine(), colours, options)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('needs more memory'),
    });
  });
});
