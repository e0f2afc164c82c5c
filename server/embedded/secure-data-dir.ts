import { chmod, chown, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_ONLY } from '../base/file-modes.ts';
import { isErrno } from './files.ts';
import { CLUSTERS_OUTSIDE, SERVER_USER } from './home.ts';

/** Mode of a folder that another user may pass through, but neither list nor read. */
const GROUP_PASSES = 0o710;
const OTHERS = 0o077;
const STICKY = 0o1000;
/** What a start leaves in the folder. */
const OWN_NAMES: readonly string[] = ['secrets.key', 'storage', 'postgres', 'runs', 'incoming'];
/** Folders that an older version has made with the umask's mode. */
const PRIVATE_FOLDERS = ['runs', 'incoming', 'storage', 'models'];

/**
 * Makes DATA_DIR, or closes one of ours to other users of the machine. A folder with files of others is left as it is.
 * As root, the user of the embedded PostgreSQL passes through it where the cluster lies inside, or has to: on another
 * volume than /var/lib, where it would not be kept with the rest.
 */
export async function secureDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY.folder });
  const { uid, mode } = await stat(dataDir);
  const names = await readdir(dataDir);
  const isOurs = names.length === 0 || names.some((name) => OWN_NAMES.includes(name));
  if (uid !== process.getuid?.() || !isOurs || (mode & STICKY) !== 0) return;
  for (const name of PRIVATE_FOLDERS) await chmodIfExists(join(dataDir, name), OWNER_ONLY.folder);
  if ((mode & OTHERS) === 0) return;
  if (SERVER_USER.gid === undefined || !(await holdsCluster(dataDir))) {
    return await chmod(dataDir, OWNER_ONLY.folder);
  }
  await chown(dataDir, uid, SERVER_USER.gid);
  await chmod(dataDir, GROUP_PASSES);
}

async function holdsCluster(dataDir: string): Promise<boolean> {
  const [here, outside] = await Promise.all([stat(dataDir), stat(CLUSTERS_OUTSIDE)]);
  const cluster = await lstat(join(dataDir, 'postgres')).catch(() => undefined);
  return cluster ? cluster.isDirectory() : here.dev !== outside.dev;
}

async function chmodIfExists(path: string, mode: number): Promise<void> {
  await chmod(path, mode).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw error;
  });
}
