import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FloatImage } from '../../../../models/core/runtime/raster.ts';
import { getMessages } from '../../../../models/core/runtime/run-warnings.ts';
import { weightFileName } from '../../../../models/core/runtime/weight-card.ts';
import { findSubject } from '../../../../models/matting/find-subject.ts';
import { MATTE_MODELS } from '../../../../models/matting/matte-models.ts';
import { REMOVE_BG_WEIGHTS } from '../../../../models/matting/weights.ts';
import { removeBg } from '../../../../models/operations/remove-bg/operation.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { openInference } from '../../../../server/runtime/inference/index.ts';

const LARGE = REMOVE_BG_WEIGHTS['birefnet-lite-fp16'];
const colours: FloatImage = { width: 64, height: 64, channels: 3, data: new Float32Array(64 * 64 * 3) };
const { signal } = new AbortController();

let directory: string;

/** Simulates a machine whose mirror has a file for the largest model, with a given environment. */
const machine = (environment: Record<string, string> = {}) =>
  openInference(
    readEnv({
      DATA_DIR: directory,
      MODEL_MIRROR: directory,
      MODELS_OFFLINE: '1',
      MODELS_LICENCES: 'all',
      ...environment,
    }),
  );

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'engine-memory-'));
  await writeFile(join(directory, weightFileName(LARGE)), 'only its name matters here');
});

afterAll(() => rm(directory, { recursive: true }));

/** Limit that tests/operations/remove-bg/memory.test.ts enforces for the largest image. */
const IMAGE_BYTES = 2_000_000_000;

describe('a run', () => {
  it.each(MATTE_MODELS.map(({ card }) => card))(
    'has enough memory for $id and the largest image',
    ({ memoryBytes }) => {
      const largest = { mediaType: 'image/jpeg', width: 8000, height: 8000 };
      const { memoryBytesMax } = removeBg.limitsFor(largest, {}, memoryBytes);
      expect(memoryBytesMax).toBeGreaterThanOrEqual(memoryBytes + IMAGE_BYTES);
      expect(memoryBytesMax).toBeLessThanOrEqual(removeBg.limits.memoryBytesMax);
    },
  );

  it('declares little for a small image and a small model, and the maximum for unknown facts', () => {
    const small = { mediaType: 'image/jpeg', width: 800, height: 600 };
    const { memoryBytes } = REMOVE_BG_WEIGHTS.matte;
    expect(removeBg.limitsFor(small, {}, memoryBytes).memoryBytesMax).toBeLessThan(900_000_000);
    expect(removeBg.limitsFor({ mediaType: 'image/jpeg' }, {}).memoryBytesMax).toBe(7_000_000_000);
  });
});

describe('a model that needs more memory than a runner has for models', () => {
  it('is unavailable until the limit is raised', async () => {
    expect(await machine().availability(LARGE)).toBe('unavailable');
    expect(await machine({ INFERENCE_MEMORY_MB: '5000' }).availability(LARGE)).toBe('download');
  });

  it('is skipped for the bundled one', async () => {
    const options = { isStill: true, engine: 'auto', signal, onProgress: () => {} };
    const { engine, warnings } = await findSubject(machine(), colours, options);
    expect({ engine, warnings: getMessages(warnings) }).toEqual({
      engine: 'matte on cpu',
      warnings: [],
    });
  });

  it('is an error when requested by name', async () => {
    const options = { isStill: true, engine: LARGE.id, signal, onProgress: () => {} };
    await expect(findSubject(machine(), colours, options)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('needs too much memory'),
    });
  });
});
