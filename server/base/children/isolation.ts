import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import {
  chmod,
  chown,
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Env } from '../env.ts';
import { OWNER_ONLY } from '../file-modes.ts';
import { makeOwnFolder, removeFoldersOfDead, removeOwnFolder } from '../own-folders.ts';
import { ROOT } from './compiled-parts.ts';

/**
 * What keeps a child that decodes files of users from the rest of the machine. `user`: another user id for each child;
 * `bubblewrap`: its own view of the files and processes. With both it sees the programs, the weights and its own folder,
 * into which the parent puts the files of a run. `no-new-privileges`: it cannot gain rights, but has those of its parent.
 */
export type IsolationLevel = 'user' | 'bubblewrap' | 'no-new-privileges' | 'none';

export interface Isolation {
  readonly level: IsolationLevel;
  readonly env: Pick<Env, 'DATA_DIR' | 'MODEL_MIRROR'>;
}

/** Group of the children, which is the embedded PostgreSQL's: DATA_DIR lets it pass, and no more. */
const GROUP = 65534;
/** User ids that neither Debian nor systemd gives to anybody. */
const USERS = { first: 60_600, count: 500 };
/** Mode of a folder that the group may pass through, and of what it may read. */
const GROUP_PASSES = 0o710;
const GROUP_READS = { folder: 0o750, file: 0o640 };

/** Program and first arguments that run the rest under another user id. */
const asUser = (uid: number): string[] => [
  ...['setpriv', `--reuid=${uid}`, `--regid=${GROUP}`, '--clear-groups'],
  ...['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs', '--'],
];
const NO_NEW_PRIVILEGES = ['setpriv', '--no-new-privs', '--'];

/** Deletes what processes that are gone, and their children, have left in temporary folders. */
export async function removeLeftFolders(env: Isolation['env']): Promise<void> {
  for (const root of [tmpdir(), getRoot(env)]) await removeFoldersOfDead(root);
}

/** Chooses the strongest isolation that works here, and prepares DATA_DIR for it. */
export async function chooseIsolation(env: Isolation['env']): Promise<Isolation> {
  if (process.platform !== 'linux') return { level: 'none', env };
  if (process.getuid?.() === 0 && (await letUsersPass(env))) return { level: 'user', env };
  const levels = [
    ['bubblewrap', [...bubble(env), '--', 'true']],
    ['no-new-privileges', [...NO_NEW_PRIVILEGES, 'true']],
  ] as const;
  for (const [level, command] of levels) if (await succeeds(command)) return { level, env };
  return { level: 'none', env };
}

const getRoot = ({ DATA_DIR }: Isolation['env']): string => join(DATA_DIR, 'children');
const getModels = ({ DATA_DIR }: Isolation['env']): string => join(DATA_DIR, 'models');

async function succeeds([program = '', ...args]: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, args).then(
    () => true,
    () => false,
  );
}

/**
 * Lets the children's group pass through DATA_DIR to their folders and the weights.
 * @returns whether a child could work there, and read the program
 */
async function letUsersPass(env: Isolation['env']): Promise<boolean> {
  const [models, root] = [getModels(env), getRoot(env)];
  for (const path of [root, models, join(models, 'acceptance')]) {
    await mkdir(path, { recursive: true, mode: OWNER_ONLY.folder });
  }
  const { uid, mode } = await stat(env.DATA_DIR);
  if (uid === 0 && (mode & 0o011) === 0) await grant(env.DATA_DIR, GROUP_PASSES);
  await grant(root, GROUP_PASSES);
  for (const path of [models, join(models, 'acceptance')]) await grantAll(path);
  // What arrives there later is no secret, and its folder keeps others out.
  process.umask(0o022);
  const readable = [join(ROOT, 'package.json'), join(ROOT, 'node_modules'), models, mirrorFolder(env)].flat();
  const test = `for path in "$@"; do test -r "$path" || exit 1; done; test -x "$0" && test -x '${root.replaceAll("'", "'\\''")}'`;
  return await succeeds([...asUser(USERS.first), '/bin/sh', '-c', test, process.execPath, ...readable]);
}

async function grant(path: string, mode: number): Promise<void> {
  const { uid } = await stat(path);
  await chown(path, uid, GROUP);
  await chmod(path, mode);
}

async function grantAll(folder: string): Promise<void> {
  await grant(folder, GROUP_READS.folder);
  for (const item of await readdir(folder, { withFileTypes: true })) {
    if (item.isFile()) await grant(join(folder, item.name), GROUP_READS.file);
  }
}

/** Returns the folder of MODEL_MIRROR, which a child looks at; none where it is a URL. */
function mirrorFolder({ MODEL_MIRROR }: Isolation['env']): string[] {
  return MODEL_MIRROR !== undefined && existsSync(MODEL_MIRROR) ? [MODEL_MIRROR] : [];
}

/** Files of the system that programs need. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc'];

/** Program and arguments that run the rest with its own view of the files: nothing but programs, weights and a folder. */
function bubble(env: Isolation['env'], folder?: string): string[] {
  const programs = [ROOT, realpathSync(join(ROOT, 'node_modules')), dirname(dirname(process.execPath))];
  const readOnly = [...SYSTEM, ...programs, ...mirrorFolder(env)].flatMap((path) => [
    '--ro-bind-try',
    path,
    path,
  ]);
  const models = getModels(env);
  return [
    ...['bwrap', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent'],
    ...['--cap-drop', 'ALL', '--tmpfs', '/tmp', ...readOnly, '--proc', '/proc', '--dev', '/dev'],
    // The folder of the data may lie in that of the program, as a file of settings may.
    ...['--tmpfs', env.DATA_DIR, '--ro-bind-try', models, models],
    ...(existsSync(join(ROOT, '.env')) ? ['--ro-bind', '/dev/null', join(ROOT, '.env')] : []),
    ...(folder === undefined ? [] : ['--bind', folder, folder]),
  ];
}

/** Child that is about to be started. */
export interface IsolatedChild {
  /** Command in front of the child's. */
  readonly command: readonly string[];
  /** Folder of the child alone; absent where it has its parent's rights, and takes paths as they are. */
  readonly folder?: ChildFolder;
}

/** Prepares the isolation of one child. */
export function isolateChild({ level, env }: Isolation): IsolatedChild {
  switch (level) {
    case 'none':
      return { command: [] };
    case 'no-new-privileges':
      return { command: NO_NEW_PRIVILEGES };
    case 'bubblewrap': {
      const path = makeOwnFolder(getRoot(env));
      return { command: [...bubble(env, path), '--'], folder: new ChildFolder(path) };
    }
    case 'user': {
      const uid = chooseUser(getRoot(env));
      const path = makeOwnFolder(getRoot(env));
      chownSync(path, uid, GROUP);
      return { command: asUser(uid), folder: new ChildFolder(path, uid) };
    }
  }
}

let lastUser = Math.floor(Math.random() * USERS.count);

/** Returns a user id that owns no folder: children of all processes of this DATA_DIR differ. */
function chooseUser(root: string): number {
  const taken = new Set(
    readdirSync(root).map((name) => statSync(join(root, name), { throwIfNoEntry: false })?.uid),
  );
  for (let tries = 0; tries < USERS.count; tries++) {
    lastUser = (lastUser + 1) % USERS.count;
    if (!taken.has(USERS.first + lastUser)) break;
  }
  return USERS.first + lastUser;
}

/** Fault of a child that no sound one has: it has been taken over by a file, perhaps. */
export class ChildFault extends Error {}

/** Folder through which parent and child exchange files. What the parent does not lend, the child cannot read. */
export class ChildFolder {
  /** For temporary files of the child. */
  readonly temporary: string;
  readonly #path: string;
  readonly #uid: number | undefined;

  /** @param uid of the child, where it differs from the parent's */
  constructor(path: string, uid?: number) {
    this.#path = path;
    this.#uid = uid;
    this.temporary = join(path, 'tmp');
    mkdirSync(this.temporary, { mode: OWNER_ONLY.folder });
    if (uid !== undefined) chownSync(this.temporary, uid, GROUP);
  }

  /** Lets the child read a file. @returns its path for the child */
  async lend(path: string, name: string): Promise<string> {
    const lent = join(this.#path, name);
    // A file system may know no links, or the file may lie on another one.
    await link(path, lent).catch(() => copyFile(path, lent, constants.COPYFILE_FICLONE));
    if (this.#uid !== undefined) await grant(lent, GROUP_READS.file);
    return lent;
  }

  /** Makes an empty folder for the child to write into. */
  async makeFolder(name: string): Promise<string> {
    const path = join(this.#path, name);
    await mkdir(path, { mode: OWNER_ONLY.folder });
    if (this.#uid !== undefined) await chown(path, this.#uid, GROUP);
    return path;
  }

  /**
   * Moves files that the child has written to a folder of the parent.
   * @param files with their sizes in bytes, as the child has stated them
   * @throws ChildFault for what is no such file: a link, say, which would lead the parent to files of others
   */
  async take(
    from: string,
    files: readonly { readonly name: string; readonly bytes: number }[],
    to: string,
  ): Promise<void> {
    const parent = process.getuid?.() ?? 0;
    // From here on the child can change nothing in it.
    if (this.#uid !== undefined) await chown(from, parent, process.getgid?.() ?? 0);
    for (const { name, bytes } of files) {
      if (name !== basename(name)) throw new ChildFault('a child has named a file outside of its folder');
      const taken = join(to, name);
      await rename(join(from, name), taken);
      const found = await lstat(taken);
      if (!found.isFile() || found.size !== bytes || found.uid !== (this.#uid ?? parent)) {
        await rm(taken, { recursive: true, force: true });
        throw new ChildFault('a child has made something else than the file that it has named');
      }
      if (this.#uid === undefined) continue;
      await chown(taken, parent, process.getgid?.() ?? 0);
      await chmod(taken, OWNER_ONLY.file);
    }
  }

  /** Deletes what was lent or made under a name. */
  async drop(...names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => rm(join(this.#path, name), { recursive: true, force: true })));
  }

  /** Deletes the folder: the child has ended. */
  remove(): void {
    removeOwnFolder(this.#path);
  }
}
