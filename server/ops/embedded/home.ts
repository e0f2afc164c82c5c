import {
  access,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { getErrorCode } from '../../base/error-code.ts';
import { OWNER_ONLY } from '../../base/file-modes.ts';
import { isAlive } from '../../base/is-alive.ts';

const NOBODY = 65534;

/** Folder of clusters whose server may not enter DATA_DIR. */
export const CLUSTERS_OUTSIDE = '/var/lib';

/** PostgreSQL refuses to run as root: there it runs as nobody. Spread into the options of a child process. */
export const SERVER_USER: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Prepares the folder of the embedded server: `<dataDir>/postgres`, which its user alone may enter. Where the server's
 * user can't enter `dataDir` (root's home, say), it is a link to a folder in /var/lib.
 * @returns its real path
 */
export async function prepareHome(dataDir: string): Promise<string> {
  const home = join(dataDir, 'postgres');
  if (!(await pathExists(home))) await makeHome(dataDir, home);
  const real = await realpath(home);
  await chownToServer(real);
  return real;
}

export async function chownToServer(path: string): Promise<void> {
  if (SERVER_USER.uid !== undefined) await chown(path, NOBODY, NOBODY);
}

async function makeHome(dataDir: string, home: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY.folder });
  try {
    if (await serverCanEnter(dataDir)) await mkdir(home, { mode: OWNER_ONLY.folder });
    else await linkFromTempDir(home);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
  if (await pathExists(home)) return;
  throw new Error(`${home} links to a missing folder. Restore it, or delete the link to start over.`);
}

/** File in a cluster outside DATA_DIR that names DATA_DIR. */
const OWNER_FILE = 'data-dir';
const OUTSIDE_NAME = /^darkroom-\w{6}$/;

/** Cluster of an embedded server below /var/lib. It stays when its DATA_DIR is deleted. */
export interface OutsideCluster {
  readonly path: string;
  /** null for one of an earlier version, which does not say. */
  readonly dataDir: string | null;
  /** Whether DATA_DIR still leads to it, or its server runs. */
  readonly isUsed: boolean;
}

/** Lists the clusters below /var/lib. */
export async function listOutsideClusters(root = CLUSTERS_OUTSIDE): Promise<OutsideCluster[]> {
  const names = await readdir(root).catch(() => []);
  const paths = names.filter((name) => OUTSIDE_NAME.test(name)).map((name) => join(root, name));
  return await Promise.all(paths.map(describeCluster));
}

async function describeCluster(path: string): Promise<OutsideCluster> {
  const dataDir = (await readIfExists(join(path, OWNER_FILE)))?.trim() || null;
  const target = dataDir && (await realpath(join(dataDir, 'postgres')).catch(() => null));
  const pid = Number.parseInt((await readIfExists(join(path, 'data', 'postmaster.pid'))) ?? '', 10);
  return { path, dataDir, isUsed: target === path || (pid > 0 && isAlive(pid)) };
}

/**
 * Deletes a cluster below /var/lib, with its whole database.
 * @throws Error for one that is used, or none
 */
export async function removeOutsideCluster(path: string, root = CLUSTERS_OUTSIDE): Promise<void> {
  const found = (await listOutsideClusters(root)).find((cluster) => cluster.path === path);
  if (!found) throw new Error(`--path: ${path} is no cluster of this service below ${root}.`);
  if (found.isUsed) {
    throw new Error(`--path: ${path} is used by ${found.dataDir ?? 'a running server'}. Delete that first.`);
  }
  await rm(path, { recursive: true });
}

async function linkFromTempDir(home: string): Promise<void> {
  const outside = await mkdtemp(join(CLUSTERS_OUTSIDE, 'darkroom-'));
  try {
    await writeFile(join(outside, OWNER_FILE), `${resolve(dirname(home))}\n`, { mode: OWNER_ONLY.file });
    await symlink(outside, home);
  } catch (error) {
    await rm(outside, { recursive: true });
    throw error;
  }
}

async function serverCanEnter(dir: string): Promise<boolean> {
  if (SERVER_USER.uid === undefined) return true;
  const path = await realpath(dir);
  const { uid, gid, mode } = await stat(path);
  const passes = uid === NOBODY ? 0o100 : gid === NOBODY ? 0o010 : 0o001;
  if ((mode & passes) === 0) return false;
  return path === '/' || serverCanEnter(dirname(path));
}

export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(getErrorCode(error) ?? '');
}

export async function pathExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Reads the text of a file; undefined when it is missing. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}
