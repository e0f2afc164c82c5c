// @module-tag long

import { appendFile, chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { closeDb, openDb } from '../../../../server/base/database/db.ts';
import { isAlive } from '../../../../server/base/is-alive.ts';
import { createLogger } from '../../../../server/base/log.ts';
import { keepPostgres } from '../../../../server/ops/process/keep-postgres.ts';

test('a PostgreSQL that cannot restart at first is restarted as soon as it can', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keep-postgres-'));
  await chmod(dataDir, 0o755);
  const log = createLogger('silent', 'test');
  const failed = vi.spyOn(log, 'fatal');
  const postgres = await keepPostgres({ dataDir, log });
  const data = join(dataDir, 'postgres/data');
  const configuration = await readFile(join(data, 'postgresql.conf'));
  await appendFile(join(data, 'postgresql.conf'), '\nno_such_setting = 1\n');
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await expect.poll(() => failed.mock.calls.length).toBeGreaterThan(0);

  await writeFile(join(data, 'postgresql.conf'), configuration);
  await untilItAnswers(postgres.url);
  await postgres.stop();
  await rm(dataDir, { recursive: true });
});

test('a PostgreSQL that no longer responds is replaced, also after the clock was set back', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keep-postgres-'));
  await chmod(dataDir, 0o755);
  const health = { everyMs: 500, missesMax: 3, graceMs: 200 };
  const postgres = await keepPostgres({ dataDir, log: createLogger('silent', 'test'), health });
  const getPid = async () =>
    (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0];
  const first = await getPid();
  vi.spyOn(Date, 'now').mockReturnValue(0);
  process.kill(Number(first), 'SIGSTOP');
  await expect.poll(() => getPid().catch(() => first)).not.toBe(first);

  await untilItAnswers(postgres.url);
  await postgres.stop();
  await rm(dataDir, { recursive: true });
});

test('a stop during a restart leaves no PostgreSQL running', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keep-postgres-'));
  await chmod(dataDir, 0o755);
  const postgres = await keepPostgres({ dataDir, log: createLogger('silent', 'test') });
  const home = join(dataDir, 'postgres');
  await holdStarts(home);
  process.kill(await serverPid(home), 'SIGKILL');
  await expect.poll(() => readdir(home)).toContain('starting');

  const stopped = postgres.stop();
  // A stop that does not wait for the restart is over by now, and the server starts after it.
  await Promise.race([stopped, wait(2_000)]);
  await writeFile(join(home, 'go'), '');
  await expect.poll(() => readdir(home)).toContain('started');
  await stopped;
  expect(await serverPid(home).then(isAlive, () => false)).toBe(false);
  await rm(dataDir, { recursive: true });
});

async function serverPid(home: string): Promise<number> {
  return Number((await readFile(join(home, 'data/postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Makes every start of the server wait for the file `go`, between the files `starting` and `started`. */
async function holdStarts(home: string): Promise<void> {
  const [binaries = ''] = (await readdir(home)).filter((name) => name.startsWith('postgresql-'));
  const program = join(home, binaries, 'bin/pg_ctl');
  await rename(program, `${program}.real`);
  const script = `#!/bin/sh
    [ "$1" = start ] || exec "$0.real" "$@"
    touch ${home}/starting
    while [ ! -e ${home}/go ]; do sleep 0.1; done
    "$0.real" "$@"
    status=$?
    touch ${home}/started
    exit $status`;
  await writeFile(program, script, { mode: 0o755 });
}

async function untilItAnswers(url: string): Promise<void> {
  const db = openDb(url, { connectionsMax: 1 });
  await expect
    .poll(() => db.$client`select 1 as one`.catch(() => []), { interval: 500 })
    .toEqual([{ one: 1 }]);
  await closeDb(db);
}
