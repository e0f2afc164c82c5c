import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listOutsideClusters, removeOutsideCluster } from '../../../../server/ops/embedded/index.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'clusters-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('a cluster outside of DATA_DIR is deleted once DATA_DIR is gone, and not while it is used', async () => {
  const [dataDir, cluster] = [join(root, 'data'), join(root, 'darkroom-abc123')];
  await Promise.all([mkdir(dataDir), mkdir(cluster), mkdir(join(root, 'darkroom'))]);
  await writeFile(join(cluster, 'data-dir'), `${dataDir}\n`);
  await symlink(cluster, join(dataDir, 'postgres'));
  expect(await listOutsideClusters(root)).toEqual([{ path: cluster, dataDir, isUsed: true }]);
  await expect(removeOutsideCluster(cluster, root)).rejects.toThrow('is used by');
  await rm(dataDir, { recursive: true });
  await mkdir(join(cluster, 'data'));
  await writeFile(join(cluster, 'data/postmaster.pid'), `${process.pid}\n`);
  await expect(removeOutsideCluster(cluster, root)).rejects.toThrow('is used by');
  await rm(join(cluster, 'data/postmaster.pid'));
  await expect(removeOutsideCluster(join(root, 'darkroom'), root)).rejects.toThrow('no cluster');
  await removeOutsideCluster(cluster, root);
  expect(await readdir(root)).toEqual(['darkroom']);
});
