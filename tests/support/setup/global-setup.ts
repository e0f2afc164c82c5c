import { access, chmod, constants, mkdtemp, readdir, readlink, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { closeDb, openDb } from '../../../server/base/database/db.ts';
import { migrate } from '../../../server/base/database/migrate.ts';
import { writeBundledGraphs } from '../../../server/ops/build/graphs/write-bundled-graphs.ts';
import { chownToServer } from '../../../server/ops/embedded/home.ts';
import { startPostgres } from '../../../server/ops/embedded/index.ts';
import { removeFolder } from './remove-folder.ts';

/** Folder in memory, on Linux. */
const MEMORY = '/dev/shm';

/** Many times what the files of one run take there together. */
const BYTES_MIN = 2e9;

const NAME = 'darkroom-databases-';

declare module 'vitest' {
  interface ProvidedContext {
    /** Migrated database that tests copy and never connect to. */
    templateUrl: string;
  }
}

/** Settings that are faster and may lose data in a crash, for tests only. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300', deadlock_timeout: '50ms' };

/** Converts the models that come in packages, and starts one PostgreSQL for the whole run. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  await writeBundledGraphs(resolve(import.meta.dirname, '../../..'));
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom-tests-'));
  await chmod(dataDir, 0o755);
  const server = await startPostgres({ dataDir, settings: SETTINGS });
  const memory = await makeMemoryFolder();
  if (memory) await chownToServer(memory);
  const db = openDb(server.url);
  // A database has 550 files. Making them takes a tenth of the time in memory.
  if (memory) await db.$client.unsafe(`create tablespace memory location '${memory}'`);
  await db.$client.unsafe(`create database template tablespace ${memory ? 'memory' : 'pg_default'}`);
  await closeDb(db);
  const templateUrl = server.url.replace('/postgres?', '/template?');
  await migrate(templateUrl);
  provide('templateUrl', templateUrl);
  return async () => {
    await server.stop();
    await removeFolder(dataDir);
    if (memory) await removeFolder(memory);
  };
}

/**
 * Makes a folder whose files lie in memory, for a run of tests that makes and deletes thousands of small ones.
 * @returns its path; undefined where the machine has no such folder, or less than 2 GB for it
 */
async function makeMemoryFolder(): Promise<string | undefined> {
  try {
    await access(MEMORY, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(MEMORY);
    if (bavail * bsize < BYTES_MIN) return undefined;
  } catch {
    return undefined;
  }
  // Containers can share the folder, and number their processes apart.
  const prefix = `${NAME}${(await readlink('/proc/self/ns/pid')).replace(/\D/g, '')}-`;
  await removeAbandoned(prefix);
  return mkdtemp(join(MEMORY, `${prefix}${process.pid}-`));
}

/** Removes the folders of runs that were killed: they would hold memory until the machine restarts. */
async function removeAbandoned(prefix: string): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    if (!name.startsWith(prefix) || isRunning(Number.parseInt(name.slice(prefix.length), 10))) continue;
    // Another user's folder stays.
    await removeFolder(join(MEMORY, name)).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
