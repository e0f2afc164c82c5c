import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findEngine } from '../../../../models/acceptance/find-acceptance-status.ts';
import { OPERATIONS } from '../../../../models/registry.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { findEngineAvailability } from '../../../../server/runtime/inference/engine-availability.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'availability-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function getAvailability(operation: string, id: string, settings: Record<string, string>) {
  const found = findEngine(OPERATIONS, operation, id);
  if (!found) throw new Error('there is no such engine');
  return await findEngineAvailability({ env: readEnv({ DATA_DIR: directory, ...settings }) }, found.engine);
}

it('an engine whose files together exceed the limit of the disk is not available, with the reason', async () => {
  const of = (megabytes: string) =>
    getAvailability('audio-diarize', 'pyannote-segmentation-3.0', { MODELS_DISK_MB: megabytes });
  expect(await of('33')).toEqual({ isAvailable: true });
  // 6.0 and 26.5 MB: each of them would fit.
  expect(await of('32')).toEqual({
    isAvailable: false,
    isLasting: true,
    reason: 'Its weights have 33 MB, and MODELS_DISK_MB allows 32.',
  });
  expect(await getAvailability('remove-bg', 'matte', { MODELS_DISK_MB: '1' })).toEqual({ isAvailable: true });
});
