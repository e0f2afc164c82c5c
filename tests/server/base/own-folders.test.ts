import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeOwnFolder, removeFoldersOfDead } from '../../../server/base/own-folders.ts';

test('the folders of dead processes are deleted, and those of living ones and of other hosts stay', async () => {
  const root = await mkdtemp(join(tmpdir(), 'own-folders-'));
  const own = basename(makeOwnFolder(root));
  const { pid } = spawnSync('true');
  const [, , start = ''] = own.split('-');
  const others = [
    `darkroom-${pid}-${start}-other.host-abcdef`,
    // Its start could not be read: the number alone says that it may live.
    `darkroom-${process.pid}--${hostname()}-abcdef`,
    'darkroom-AbCdEf',
    'something',
  ];
  // An earlier process of the same number, as in a container that was restarted.
  const gone = [
    `darkroom-${pid}-${start}-${hostname()}-abcdef`,
    `darkroom-${process.pid}-1-${hostname()}-abcdef`,
  ];
  for (const name of [...others, ...gone]) await mkdir(join(root, name));
  await removeFoldersOfDead(root);
  expect((await readdir(root)).toSorted()).toEqual([own, ...others].toSorted());
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
    const name = `darkroom-${pid}-1-${hostname()}-abcdef`;
    await mkdir(join(root, name), { mode: 0o700 });
    process.seteuid?.(65534);
    try {
      await removeFoldersOfDead(root);
    } finally {
      process.seteuid?.(0);
    }
    expect(await readdir(root)).toEqual([name]);
    await rm(root, { recursive: true });
  },
);
