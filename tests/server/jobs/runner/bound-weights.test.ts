import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { weightFileName } from '../../../../models/core/runtime/weight-card.ts';
import { REMOVE_BG_WEIGHTS } from '../../../../models/matting/weights.ts';
import { AUDIO_DIARIZE_WEIGHTS } from '../../../../models/operations/diarize/weights.ts';
import { readEnv } from '../../../../server/base/env.ts';
import type { Logger } from '../../../../server/base/log.ts';
import { describeProcess } from '../../../../server/jobs/heartbeats.ts';
import { createWeightBound } from '../../../../server/jobs/runner/keep-models.ts';

const { signal } = new AbortController();

let directory: string;
let mirror: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bound-'));
  mirror = join(directory, 'mirror');
  for (const name of ['models', 'mirror']) await mkdir(join(directory, name));
});
afterEach(() => rm(directory, { recursive: true }));

it('deletes the least recently used weights beyond the limit, logs each once, and tells the health page', async () => {
  const { u2netp, 'selfie-segmentation': selfie } = REMOVE_BG_WEIGHTS;
  const segmentation = AUDIO_DIARIZE_WEIGHTS['pyannote-segmentation-3.0'];
  for (const [at, card] of [u2netp, selfie, segmentation].entries()) {
    const path = join(directory, 'models', weightFileName(card));
    await writeFile(path, Buffer.alloc(card.bytes));
    await writeFile(join(mirror, weightFileName(card)), Buffer.alloc(card.bytes));
    await utimes(path, new Date(Date.now() - 100_000 + 1000 * at), new Date());
  }
  const env = readEnv({ DATA_DIR: directory, MODELS_DISK_MB: '7', MODEL_MIRROR: mirror });
  const warn = vi.fn();
  const bound = createWeightBound({ env, log: { warn } as unknown as Logger });
  await bound(signal);
  await bound(signal);
  expect((await readdir(join(directory, 'models'))).toSorted()).toEqual([
    'pyannote-segmentation-3.0.onnx',
    'selfie-segmentation.onnx',
    'u2netp.onnx.evicted',
  ]);
  const deleted = { id: 'u2netp', bytes: u2netp.bytes, at: expect.any(String) };
  expect(warn.mock.calls).toEqual([
    [
      { weights: 'u2netp', bytes: u2netp.bytes, at: expect.any(String) },
      'weights were deleted to make room for others',
    ],
  ]);
  expect(await describeProcess(env)).toMatchObject({
    weightBytes: selfie.bytes + segmentation.bytes,
    weightBytesMax: 7_000_000,
    evicted: [deleted],
  });
});

it('keeps weights beyond the limit that no source has, and says so once', async () => {
  const { 'selfie-segmentation': selfie } = REMOVE_BG_WEIGHTS;
  const path = join(directory, 'models', weightFileName(selfie));
  await writeFile(path, Buffer.alloc(2_000_000));
  const env = readEnv({ DATA_DIR: directory, MODELS_DISK_MB: '1', MODELS_OFFLINE: '1' });
  const warn = vi.fn();
  const bound = createWeightBound({ env, log: { warn } as unknown as Logger });
  await bound(signal);
  await bound(signal);
  expect(await readdir(join(directory, 'models'))).toEqual([weightFileName(selfie)]);
  expect(warn.mock.calls).toEqual([
    [
      { bytes: 1_000_000 },
      'weights beyond MODELS_DISK_MB stay: they are in use, or no source can be reached',
    ],
  ]);
});
