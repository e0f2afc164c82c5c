// @module-tag long

import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDb, openDb } from '../../../../server/base/database/db.ts';
import { CLUSTERS_OUTSIDE, prepareHome, SERVER_USER } from '../../../../server/ops/embedded/home.ts';
import {
  type EmbeddedPostgres,
  secureDataDir,
  startPostgres,
} from '../../../../server/ops/embedded/index.ts';

const isRoot = SERVER_USER.uid !== undefined;
/** Volume that Linux has in memory. */
const OTHER_VOLUME = '/dev/shm';

function hasOtherVolume(): boolean {
  const [here, there] = [CLUSTERS_OUTSIDE, OTHER_VOLUME];
  return existsSync(here) && existsSync(there) && statSync(here).dev !== statSync(there).dev;
}

/**
 * Asks the server at a socket for a session as its superuser (protocol 3.0), and prints the type of its response: `R`
 * with the code 0 lets in, `E` refuses.
 */
const CONNECT = `
  const words = Buffer.from('user\\0postgres\\0\\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + words.length, 0);
  head.writeInt32BE(196608, 4);
  const socket = require('node:net').connect(process.argv[1]);
  socket.once('connect', () => socket.write(Buffer.concat([head, words])));
  socket.once('data', (data) => { console.log(String.fromCharCode(data[0]), data.readInt32BE(5)); process.exit(); });
  socket.once('error', (error) => { console.log(error.code); process.exit(); });`;

let folder: string;
let server: EmbeddedPostgres | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-access-'));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

const getMode = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);

/** Connects as another user of the machine than root. */
async function connectAs(uid: number, url: string): Promise<string> {
  const socket = join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const options = { uid, gid: uid, cwd: '/' };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', CONNECT, socket], options);
  return stdout.trim();
}

async function start(): Promise<string> {
  server = await startPostgres({ dataDir: folder });
  return server.url;
}

describe('the embedded PostgreSQL started as root', () => {
  test.runIf(isRoot)('lets root in, and no process of the user that it runs as', async () => {
    const url = await start();
    const db = openDb(url, { connectionsMax: 1 });
    expect([...(await db.$client`select current_user as name`)]).toEqual([{ name: 'postgres' }]);
    await closeDb(db);
    expect(await connectAs(SERVER_USER.uid ?? 0, url)).toMatch(/^E/);
    expect(await connectAs(65_533, url)).toBe('EACCES');
  });

  test.runIf(isRoot)('closes a cluster that an older version has made', async () => {
    await start();
    await server?.stop();
    const data = join(await realpath(join(folder, 'postgres')), 'data');
    await writeFile(join(data, 'darkroom.conf'), '');
    expect(await readFile(join(data, 'pg_hba.conf'), 'utf8')).toMatch(/^local +all +all +trust$/m);
    expect(await connectAs(SERVER_USER.uid ?? 0, await start())).toMatch(/^E/);
  });
});

describe('DATA_DIR', () => {
  test('is made for our user only, whatever the umask', async () => {
    const dataDir = join(folder, 'a', 'b');
    const umask = process.umask(0o022);
    await secureDataDir(dataDir).finally(() => process.umask(umask));
    expect([await getMode(join(folder, 'a')), await getMode(dataDir)]).toEqual(['700', '700']);
  });

  test('of an older version is closed, with its folders', async () => {
    await mkdir(join(folder, 'runs'), { mode: 0o755 });
    await writeFile(join(folder, 'secrets.key'), '');
    await secureDataDir(folder);
    expect([await getMode(folder), await getMode(join(folder, 'runs'))]).toEqual(['700', '700']);
  });

  test.runIf(isRoot)('stays open to the children that a process keeps apart', async () => {
    const folders = { children: 0o710, models: 0o750 };
    for (const [name, mode] of Object.entries(folders)) await mkdir(join(folder, name), { mode });
    await writeFile(join(folder, 'secrets.key'), '');
    await secureDataDir(folder);
    const modes = [folder, join(folder, 'children'), join(folder, 'models')].map(getMode);
    expect(await Promise.all(modes)).toEqual(['710', '710', '750']);
  });

  test('that holds files of others is left as it is', async () => {
    await writeFile(join(folder, 'notes.txt'), '');
    await secureDataDir(folder);
    expect(await getMode(folder)).toBe('755');
  });

  test('with a single entry that has a name of ours is left as it is', async () => {
    await mkdir(join(folder, 'storage'), { mode: 0o755 });
    await writeFile(join(folder, 'notes.txt'), '');
    await secureDataDir(folder);
    expect([await getMode(folder), await getMode(join(folder, 'storage'))]).toEqual(['755', '755']);
  });

  test('leaves a folder outside open that a link inside shares', async () => {
    const [dataDir, shared] = [join(folder, 'data'), join(folder, 'shared')];
    for (const each of [dataDir, shared]) await mkdir(each, { mode: 0o755 });
    await writeFile(join(dataDir, 'secrets.key'), '');
    await symlink(shared, join(dataDir, 'models'));
    await secureDataDir(dataDir);
    expect([await getMode(dataDir), await getMode(shared)]).toEqual(['700', '755']);
  });

  test.runIf(isRoot && hasOtherVolume())(
    'that is new on another volume keeps its cluster inside',
    async () => {
      const volume = await mkdtemp(join(OTHER_VOLUME, 'darkroom-access-'));
      try {
        await chmod(volume, 0o755);
        const dataDir = join(volume, 'a', 'b');
        await secureDataDir(dataDir);
        const { gid } = await stat(dataDir);
        expect([await getMode(join(volume, 'a')), await getMode(dataDir), gid]).toEqual([
          '710',
          '710',
          SERVER_USER.gid,
        ]);
        expect(await prepareHome(dataDir)).toBe(join(await realpath(dataDir), 'postgres'));
      } finally {
        await rm(volume, { recursive: true, force: true });
      }
    },
  );

  test.runIf(isRoot)('lets the user of a cluster that lies inside pass, and no one else', async () => {
    await start();
    await server?.stop();
    await secureDataDir(folder);
    const { gid } = await stat(folder);
    expect([await getMode(folder), gid]).toEqual(['710', SERVER_USER.gid]);
    expect(await connectAs(SERVER_USER.uid ?? 0, await start())).toMatch(/^E/);
  });
});
