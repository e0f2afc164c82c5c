import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';
import { startRemovingStale, startTouching } from '../../../server/base/remove-stale.ts';
import { removeStaleTempDirs } from '../../../server/base/temp-dir.ts';

const log = createLogger('silent', 'test');
let root: string;
let end: (() => void) | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'remove-stale-'));
});
afterEach(async () => {
  end?.();
  await rm(root, { recursive: true });
});

/** Creates the folder of a request whose process was killed two hours ago. */
async function leaveFolder(name: string): Promise<string> {
  const path = join(root, 'incoming', name);
  await mkdir(path, { recursive: true });
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(path, longAgo, longAgo);
  return path;
}

const remove = () => removeStaleTempDirs(readEnv({ DATA_DIR: root }));

test('stale folders are removed at the start and while the process runs', async () => {
  const before = await leaveFolder('before');
  end = await startRemovingStale(remove, log, 20);
  expect(existsSync(before)).toBe(false);
  const later = await leaveFolder('later');
  await expect.poll(() => existsSync(later)).toBe(false);
});

test('a failure does not stop the cleanup', async () => {
  let calls = 0;
  end = await startRemovingStale(
    async () => {
      if (++calls < 3) throw new Error('the disk is away');
    },
    log,
    20,
  );
  await expect.poll(() => calls).toBeGreaterThan(3);
});

test('a folder in use stays, though nothing is written in it', async () => {
  const used = await leaveFolder('used');
  end = startTouching(used, 20);
  await expect.poll(async () => Date.now() - (await stat(used)).mtimeMs).toBeLessThan(3_600_000);
  await remove();
  expect(existsSync(used)).toBe(true);
});
