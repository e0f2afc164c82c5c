import { mkdtemp, readdir, readFile, readlink, rm, stat, utimes } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** `darkroom-<pid>-<start of the process>-<place>-<random>` */
const NAME = /^darkroom-(\d+)-(\d*)-(.+)-[^-]{6}$/;

/** Age from which a folder of another place counts as left behind. One in use is touched, and stays younger. */
const AGE_MS = 3_600_000;
const TOUCH_EVERY_MS = AGE_MS / 6;

/**
 * Makes an empty folder for temporary files, which its caller deletes. It is named after this process: what killed
 * processes have left is deleted first.
 */
export async function makeOwnFolder(): Promise<string> {
  const place = await readPlace();
  await removeFoldersOfDead(place);
  const start = await readStart(process.pid);
  const folder = await mkdtemp(join(tmpdir(), `darkroom-${process.pid}-${start}-${place}-`));
  const touching = setInterval(() => {
    const now = new Date();
    utimes(folder, now, now).catch(() => clearInterval(touching));
  }, TOUCH_EVERY_MS).unref();
  return folder;
}

/** Returns the host and namespace in which a number names this process: two containers may have the same host name. */
async function readPlace(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return [hostname(), ...(namespace.match(/\d+/) ?? [])].join('-');
}

async function removeFoldersOfDead(ownPlace: string): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [, pid, start, place] = NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(tmpdir(), name);
    // Other hosts and containers may share the folder, and their processes cannot be seen from here.
    const isLeft = place === ownPlace ? !(await isRunning(Number(pid), start)) : await isStale(path);
    // One of another user stays.
    if (isLeft) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

async function isStale(path: string): Promise<boolean> {
  return await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > AGE_MS,
    () => false,
  );
}

/** Reports whether a process may run, and have begun at that time: numbers of processes come again. */
async function isRunning(pid: number, start: string | undefined): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const known = await readStart(pid);
  return !known || !start || start === known;
}

/** Reads when a process began, in ticks since the machine did; empty where the system does not tell. */
async function readStart(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
