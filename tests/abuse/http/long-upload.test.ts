import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readEnv } from '../../../server/base/env.ts';
import { removeStaleTempDirs, withTempDir } from '../../../server/base/temp-dir.ts';

const HOUR_MS = 3_600_000;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'long-upload-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(root, { recursive: true });
});

it('an upload that takes five hours keeps its folder through every clean-up', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const env = readEnv({ DATA_DIR: root });
  const directory = await withTempDir(env, async (folder) => {
    for (let hour = 1; hour <= 5; hour++) {
      vi.advanceTimersByTime(HOUR_MS);
      // The touches of an hour are written at once here, and any of them may be the last.
      await expect.poll(async () => (await stat(folder)).mtimeMs).toBeGreaterThan(Date.now() - HOUR_MS);
      await removeStaleTempDirs(env);
      expect(existsSync(folder)).toBe(true);
    }
    return folder;
  });
  expect(existsSync(directory)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
