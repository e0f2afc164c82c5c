import { access, chown, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OWNER_ONLY } from '../../base/file-modes.ts';

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

async function linkFromTempDir(home: string): Promise<void> {
  const outside = await mkdtemp(join(CLUSTERS_OUTSIDE, 'darkroom-'));
  try {
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
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
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
