import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeInput } from '../../clients/typescript/src/cli/files.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'own-folders-'));
  vi.stubEnv('TMPDIR', root);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

const store = () =>
  storeInput({
    async *input() {
      yield new Uint8Array([1]);
    },
    signal: new AbortController().signal,
  });

test('a start deletes what killed commands have left, and nothing of living ones and of other places', async () => {
  const living = await store();
  const own = basename(dirname(living.path));
  const place = /^darkroom-\d+-\d*-(.+)-[^-]{6}$/.exec(own)?.[1];
  const { pid } = spawnSync('true');
  const others = [
    `darkroom-${pid}-1-other.host-abcdef`,
    // Another container may have the same host name.
    `darkroom-${pid}-1-${hostname()}-12-abcdef`,
    // Its start could not be read: the number alone says that it may live.
    `darkroom-${process.pid}--${place}-abcdef`,
    'darkroom-input-AbCdEf',
    'something',
  ];
  // An earlier process of the same number, as in a container that was restarted.
  const gone = [`darkroom-${pid}-1-${place}-abcdef`, `darkroom-${process.pid}-1-${place}-abcdef`];
  const left = [`darkroom-${pid}-1-other.host-ABCDEF`, `darkroom-1-1-${hostname()}-12-ABCDEF`];
  for (const name of [...others, ...gone, ...left]) await mkdir(join(root, name));
  const longAgo = new Date(Date.now() - 61 * 60_000);
  for (const name of [...left, own]) await utimes(join(root, name), longAgo, longAgo);
  const next = await store();
  await next.remove();
  expect((await readdir(root)).toSorted()).toEqual([own, ...others].toSorted());
  await living.remove();
});

test('the folder of a living command stays young, so that other places see it is not left behind', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const living = await store();
  const folder = dirname(living.path);
  await utimes(folder, 0, 0);
  vi.advanceTimersByTime(600_000);
  vi.useRealTimers();
  await expect.poll(async () => (await stat(folder)).mtimeMs).toBeGreaterThan(0);
  await living.remove();
});
