import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { closeDb, openDb } from '../../../server/base/database/db.ts';
import { migrate } from '../../../server/base/database/migrate.ts';
import { writeBundledGraphs } from '../../../server/ops/build/graphs/write-bundled-graphs.ts';
import { chownToServer } from '../../../server/ops/embedded/home.ts';
import { startPostgres } from '../../../server/ops/embedded/index.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { removeFolder } from './remove-folder.ts';

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
