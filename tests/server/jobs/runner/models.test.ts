import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { REMOVE_BG_WEIGHTS } from '../../../../models/matting/weights.ts';
import { OPERATIONS } from '../../../../models/registry.ts';
import { chooseIsolation } from '../../../../server/base/children/isolation.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { createLogger } from '../../../../server/base/log.ts';
import { lendWeights } from '../../../../server/jobs/runner/runner.ts';
import { createChildPool } from '../../../../server/jobs/runs/child-pool.ts';
import type { RunEnd } from '../../../../server/jobs/runs/child-process.ts';
import type { RunRequest } from '../../../../server/jobs/runs/protocol.ts';
import { sharedData } from '../../../support/media/shared-data.ts';
import { createMatteModel } from '../../../support/models/matte.ts';
import { startInferenceServer } from '../../../support/servers/inference-server.ts';

const { limits } = OPERATIONS['remove-bg'];
const operationsModule = fileURLToPath(new URL('../../../../models/registry.ts', import.meta.url));
const MIRROR = sharedData('models/media/image');
const FILES = sharedData('models/files');

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'runner-networks-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

/** Makes two consecutive runs in children started with `environment`. */
async function runTwice(
  environment: Record<string, string>,
  inputPath: string,
  params = {},
  model: Pick<RunRequest, 'modelBytesMax'> = {},
  isIsolated = false,
): Promise<[RunEnd, RunEnd]> {
  const given = { DATA_DIR: root, MODELS_OFFLINE: '1', ...environment };
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  const env = readEnv({ ...given });
  const isolated = isIsolated && { isolation: await chooseIsolation(env), weights: lendWeights(env) };
  const pool = createChildPool({
    ...isolated,
    size: 1,
    operationsModule,
    memoryBytesMax: limits.memoryBytesMax,
    log: createLogger('silent', 'test'),
  });
  try {
    const run = async (name: string) => {
      const outputDirectory = join(root, name);
      await mkdir(outputDirectory);
      const given = { inputPath, attachmentPaths: {} };
      const request = { operationId: 'remove-bg', params, ...given, ...model, outputDirectory };
      return pool.run(request, { limits, signal: new AbortController().signal, onProgress: () => {} });
    };
    return [await run('first'), await run('second')];
  } finally {
    pool.close();
  }
}

/** Red square on green. */
async function photo(): Promise<string> {
  const path = join(root, 'photo.png');
  const square = sharp({ create: { width: 80, height: 80, channels: 3, background: '#ff0020' } });
  await sharp({ create: { width: 200, height: 160, channels: 3, background: '#00a020' } })
    .composite([{ input: await square.png().toBuffer(), left: 60, top: 40 }])
    .toFile(path);
  return path;
}

describe('a child of the runner', { timeout: 120_000 }, () => {
  test('runs models on the inference server from its environment', { tags: ['long'] }, async () => {
    const server = await startInferenceServer(createMatteModel('u2netp'));
    const ends = await runTwice({ INFERENCE_ENDPOINTS: `u2netp=${server.url}` }, await photo());
    for (const end of ends) expect(end).toMatchObject({ kind: 'done', engine: 'u2netp on inference server' });
    expect(server.inferences).toBe(2);
    const cutout = await sharp(await readFile(join(root, 'first/output.png')))
      .raw()
      .toBuffer();
    expect(cutout[3]).toBe(0);
    expect(cutout[(80 * 200 + 100) * 4 + 3]).toBe(255);
    await server.stop();
  });

  test('runs the bundled model when no other is available', async () => {
    const { memoryBytes: modelBytes } = REMOVE_BG_WEIGHTS.matte;
    for (const end of await runTwice({}, await photo())) {
      expect(end).toMatchObject({ kind: 'done', engine: 'matte on cpu', warnings: [], modelBytes });
    }
  });

  test('loads no model larger than the limit of its run', { tags: ['long'] }, async () => {
    const modelBytesMax = REMOVE_BG_WEIGHTS.matte.memoryBytes - 1;
    for (const end of await runTwice({}, await photo(), {}, { modelBytesMax })) {
      expect(end).not.toMatchObject({ engine: 'matte on cpu' });
    }
  });

  // The twin runs the bundled model, above.
  test.skipIf(FILES.isMissing)(
    FILES.titled('asks its parent for weights where it may only read their folder'),
    { tags: ['long'] },
    async () => {
      const params = { engine: 'selfie-segmentation' };
      const ends = await runTwice({ MODEL_MIRROR: FILES.path }, await photo(), params, {}, true);
      for (const end of ends) {
        expect(end).toMatchObject({ kind: 'done', engine: 'selfie-segmentation on cpu' });
      }
      expect((await readdir(join(root, 'models'))).join()).toContain('selfie');
    },
  );

  // The twin runs the bundled model, above.
  test.skipIf(MIRROR.isMissing)(
    MIRROR.titled('runs published weights within its memory'),
    { tags: ['long'] },
    async () => {
      const params = { engine: 'selfie-segmentation' };
      const ends = await runTwice({ MODEL_MIRROR: MIRROR.path }, await photo(), params);
      for (const end of ends) {
        expect(end).toMatchObject({ kind: 'done', engine: 'selfie-segmentation on cpu' });
      }
    },
  );
});
