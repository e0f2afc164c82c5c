import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
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

test('a start deletes what killed commands have left, and nothing of living ones and of other hosts', async () => {
  const living = await store();
  const own = basename(dirname(living.path));
  expect(own).toMatch(new RegExp(`^darkroom-${process.pid}-`));
  const { pid } = spawnSync('true');
  const others = [
    `darkroom-${pid}-1-other.host-abcdef`,
    // Its start could not be read: the number alone says that it may live.
    `darkroom-${process.pid}--${hostname()}-abcdef`,
    'darkroom-input-AbCdEf',
    'something',
  ];
  // An earlier process of the same number, as in a container that was restarted.
  const gone = [`darkroom-${pid}-1-${hostname()}-abcdef`, `darkroom-${process.pid}-1-${hostname()}-abcdef`];
  for (const name of [...others, ...gone]) await mkdir(join(root, name));
  const next = await store();
  await next.remove();
  expect((await readdir(root)).toSorted()).toEqual([own, ...others].toSorted());
  await living.remove();
});
