import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** `darkroom-<pid>-<start of the process>-<host>-<random>` */
const NAME = /^darkroom-(\d+)-(\d*)-(.+)-[^-]{6}$/;

/**
 * Makes an empty folder for temporary files, which its caller deletes. It is named after this process: what killed
 * processes of this machine have left is deleted first.
 */
export async function makeOwnFolder(): Promise<string> {
  await removeFoldersOfDead();
  const start = await readStart(process.pid);
  return await mkdtemp(join(tmpdir(), `darkroom-${process.pid}-${start}-${hostname()}-`));
}

async function removeFoldersOfDead(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [, pid, start, host] = NAME.exec(name) ?? [];
    // Another container may share the folder, and its processes cannot be seen from here.
    if (pid === undefined || host !== hostname() || (await isRunning(Number(pid), start))) continue;
    // One of another user stays.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
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
