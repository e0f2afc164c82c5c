import { chmod, chown, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OWNER_ONLY } from '../../base/file-modes.ts';
import type { Logger } from '../../base/log.ts';
import { CLUSTERS_OUTSIDE, isErrno, pathExists, SERVER_USER } from './home.ts';

/** Mode of a folder that another user may pass through, but neither list nor read. */
const GROUP_PASSES = 0o710;
const MODE = 0o7777;
const STICKY = 0o1000;
/** Files that nothing but a start of this service leaves in the folder. */
const OWN_FILES: readonly string[] = ['secrets.key', join('postgres', 'data', 'darkroom.conf')];
/** Folders that a start with an external database leaves, all of them. */
const OWN_FOLDERS: readonly string[] = ['runs', 'incoming', 'storage'];
/** Folder of the weights, which an older version has made with the umask's mode, as those above. */
const WEIGHTS = 'models';
/** Folder of the children that decode files, where they are kept apart. */
const CHILDREN = 'children';
/** Folder of the file system itself, in the root of a new volume. */
const LOST_AND_FOUND = 'lost+found';

/**
 * Makes DATA_DIR, or closes one of ours to other users of the machine. A folder with files of others is left as it is.
 * As root, the user of the embedded PostgreSQL passes through it where the cluster lies inside, or has to: on another
 * volume than /var/lib, where it would not be kept with the rest.
 * @param log of what could not be closed, which keeps no start from going on
 */
export async function secureDataDir(dataDir: string, log?: Pick<Logger, 'warn'>): Promise<void> {
  const made = await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY.folder });
  const { uid, mode } = await stat(dataDir);
  if (uid !== process.getuid?.() || (mode & STICKY) !== 0 || !(await isOurs(dataDir))) return;
  // Children with another user id pass through it as well, and read the weights.
  const isolates = SERVER_USER.gid !== undefined && (await pathExists(join(dataDir, CHILDREN)));
  const letsPass = isolates || (SERVER_USER.gid !== undefined && (await holdsCluster(dataDir)));
  const own = [...newParents(dataDir, made), dataDir].map((path) => () => close(path, letsPass));
  const inner = [...OWN_FOLDERS, ...(isolates ? [] : [WEIGHTS])].map(
    (name) => () => closeInner(join(dataDir, name), uid),
  );
  for (const change of [...own, ...inner]) {
    await change().catch((err: unknown) =>
      log?.warn({ err }, 'a folder of DATA_DIR keeps its access rights'),
    );
  }
}

async function isOurs(dataDir: string): Promise<boolean> {
  const names = (await readdir(dataDir)).filter((name) => name !== LOST_AND_FOUND);
  if (names.length === 0 || OWN_FOLDERS.every((name) => names.includes(name))) return true;
  for (const file of OWN_FILES) if (await pathExists(join(dataDir, file))) return true;
  return false;
}

/** Lists the folders above `dataDir` that were made with it, of which `made` is the uppermost. */
function newParents(dataDir: string, made: string | undefined): string[] {
  const parents: string[] = [];
  if (made === undefined) return parents;
  for (let path = resolve(dataDir); path !== resolve(made) && path !== dirname(path); ) {
    path = dirname(path);
    parents.push(path);
  }
  return parents;
}

async function holdsCluster(dataDir: string): Promise<boolean> {
  const cluster = await lstat(join(dataDir, 'postgres')).catch(() => undefined);
  if (cluster) return cluster.isDirectory();
  const [here, outside] = await Promise.all([
    stat(dataDir),
    stat(CLUSTERS_OUTSIDE).catch(() => undefined), // macOS has none.
  ]);
  return here.dev !== outside?.dev;
}

async function close(path: string, letsPass: boolean): Promise<void> {
  const { uid, gid, mode } = await stat(path);
  const wanted = letsPass ? GROUP_PASSES : OWNER_ONLY.folder;
  if (letsPass && SERVER_USER.gid !== undefined && gid !== SERVER_USER.gid) {
    await chown(path, uid, SERVER_USER.gid);
  }
  if ((mode & MODE) !== wanted) await chmod(path, wanted);
}

/** Closes a folder of DATA_DIR, unless it is missing, a link to one that others may share, or another user's. */
async function closeInner(path: string, ownUid: number): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (!found?.isDirectory() || found.uid !== ownUid) return;
  if ((found.mode & MODE) !== OWNER_ONLY.folder) await chmod(path, OWNER_ONLY.folder);
}
