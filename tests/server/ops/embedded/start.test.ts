// @module-tag long

import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDb, openDb } from '../../../../server/base/database/db.ts';
import { migrate } from '../../../../server/base/database/migrate.ts';
import { isAlive } from '../../../../server/base/is-alive.ts';
import { SERVER_USER } from '../../../../server/ops/embedded/home.ts';
import { type EmbeddedPostgres, startPostgres } from '../../../../server/ops/embedded/index.ts';

let dataDir: string;
const servers: EmbeddedPostgres[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'darkroom-embedded-'));
  await chmod(dataDir, 0o755);
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  await rm(await realHome(), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

/** Lies outside `dataDir` where the server's user can't enter it. */
function realHome(): Promise<string> {
  return realpath(join(dataDir, 'postgres')).catch(() => dataDir);
}

async function start(dir = dataDir): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ dataDir: dir });
  servers.push(server);
  return server;
}

async function query<T>(url: string, statement: string): Promise<T[]> {
  const db = openDb(url, { connectionsMax: 1 });
  try {
    return [...(await db.$client.unsafe(statement))] as T[];
  } finally {
    await closeDb(db);
  }
}

async function killed(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
}

describe('the embedded PostgreSQL', () => {
  test('is a real server that keeps its data over a stop and start', async () => {
    const first = await start();
    expect(first.startedHere).toBe(true);
    await query(first.url, 'create table kept as select 7 as n');
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(await query(second.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(second.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
  });

  test('is reused, not started twice, when it is already running', async () => {
    const first = await start();
    const again = await start();
    expect(again).toMatchObject({ pid: first.pid, url: first.url, startedHere: false });
  });

  test('is started once by concurrent callers on an empty folder', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => start()));
    expect(new Set(all.map((server) => server.pid)).size).toBe(1);
    expect(await query(all[0]?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('is migrated once by concurrent processes, to one schema', async () => {
    const { url } = await start();
    await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
    const tables = "select to_regclass('jobs') as jobs, to_regclass('scheduled_tasks') as tasks";
    expect(await query(url, tables)).toEqual([{ jobs: 'jobs', tasks: 'scheduled_tasks' }]);
    const schemas =
      "select nspname as name from pg_namespace where nspname !~ '^(pg_|information_schema)' order by 1";
    expect(await query(url, schemas)).toEqual([{ name: 'drizzle' }, { name: 'public' }]);
  });

  test('starts in a folder whose path is too long for a socket', async () => {
    const folder = join(dataDir, 'a'.repeat(80), "b ü'\\");
    await mkdir(folder, { recursive: true });
    const { url } = await start(folder);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('starts where its own user has no access', async () => {
    await chmod(dataDir, 0o700);
    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('starts when the pid in its old lock file belongs to another program', async () => {
    const first = await start();
    await killed(first.pid);
    const other = spawn('sleep', ['60'], SERVER_USER);
    try {
      const lock = join(await realHome(), 'data', 'postmaster.pid');
      const lines = (await readFile(lock, 'utf8')).split('\n');
      await writeFile(lock, [other.pid, ...lines.slice(1)].join('\n'));
      const second = await start();
      expect(second.startedHere).toBe(true);
    } finally {
      other.kill();
    }
  });

  test('reports that the folder of its symbolic link is missing', async () => {
    await symlink(join(dataDir, 'gone'), join(dataDir, 'postgres'));
    await expect(startPostgres({ dataDir })).rejects.toThrow(/links to a missing folder/);
  });

  test('reports the message of the server when it cannot start', async () => {
    const failing = startPostgres({ dataDir, settings: { shared_buffers: 'plenty' }, failingMsMax: 500 });
    await expect(failing).rejects.toThrow(/shared_buffers/);
  });
});
