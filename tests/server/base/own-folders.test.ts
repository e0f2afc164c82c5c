import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeOwnFolder, removeFoldersOfDead } from '../../../server/base/own-folders.ts';

/** Reads the place that a folder's name states. */
const getPlace = (folder: string) => /^darkroom-\d+-\d*-(.+)-[^-]{6}$/.exec(basename(folder))?.[1] ?? '';

test('the folders of dead processes are deleted, and those of living ones and of other places stay', async () => {
  const root = await mkdtemp(join(tmpdir(), 'own-folders-'));
  const own = basename(makeOwnFolder(root));
  const place = getPlace(own);
  const { pid } = spawnSync('true');
  const [, , start = ''] = own.split('-');
  const others = [
    `darkroom-${pid}-${start}-other.host-abcdef`,
    // Another container may have the same host name.
    `darkroom-${pid}-${start}-${hostname()}-12-abcdef`,
    // Its start could not be read: the number alone says that it may live.
    `darkroom-${process.pid}--${place}-abcdef`,
    'darkroom-AbCdEf',
    'something',
  ];
  const left = [`darkroom-${pid}-${start}-other.host-ABCDEF`, `darkroom-1-1-${hostname()}-12-ABCDEF`];
  // An earlier process of the same number, as in a container that was restarted.
  const gone = [`darkroom-${pid}-${start}-${place}-abcdef`, `darkroom-${process.pid}-1-${place}-abcdef`];
  for (const name of [...others, ...left, ...gone]) await mkdir(join(root, name));
  const longAgo = new Date(Date.now() - 61 * 60_000);
  for (const name of [...left, own, 'something']) await utimes(join(root, name), longAgo, longAgo);
  await removeFoldersOfDead(root);
  expect((await readdir(root)).toSorted()).toEqual([own, ...others].toSorted());
  await rm(root, { recursive: true });
});

test('a folder in use stays young, so that other places see it is not left behind', async () => {
  const root = await mkdtemp(join(tmpdir(), 'own-folders-'));
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const folder = makeOwnFolder(root);
  await utimes(folder, 0, 0);
  vi.advanceTimersByTime(600_000);
  vi.useRealTimers();
  await expect.poll(async () => (await stat(folder)).mtimeMs).toBeGreaterThan(0);
  await rm(root, { recursive: true });
});

/** Only root makes folders that its other self may not delete. */
const isRoot = process.geteuid?.() === 0;

test.runIf(isRoot)(
  'a folder that another user has left keeps no process from its start (needs root)',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'own-folders-'));
    await chmod(root, 0o1777);
    const { pid } = spawnSync('true');
    const name = `darkroom-${pid}-1-${getPlace(makeOwnFolder(root))}-abcdef`;
    await mkdir(join(root, name), { mode: 0o700 });
    process.seteuid?.(65534);
    try {
      await removeFoldersOfDead(root);
    } finally {
      process.seteuid?.(0);
    }
    expect(await readdir(root)).toContain(name);
    await rm(root, { recursive: true });
  },
);
