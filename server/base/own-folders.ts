import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { OWNER_ONLY } from './file-modes.ts';
import { isAlive } from './is-alive.ts';

/** `darkroom-<pid>-<start of the process>-<host>-<random>` */
const NAME = /^darkroom-(\d+)-(\d*)-(.+)-[^-]{6}$/;

/** Folders of this process. One listener deletes them: there may be many. */
const made = new Set<string>();

/**
 * Makes an empty folder, which is deleted when this process ends. It is named after the process: what a killed one has
 * left can be told.
 */
export function makeOwnFolder(root: string): string {
  mkdirSync(root, { recursive: true, mode: OWNER_ONLY.folder });
  const folder = mkdtempSync(join(root, `darkroom-${process.pid}-${readStart(process.pid)}-${hostname()}-`));
  if (made.size === 0) process.once('exit', removeAll);
  made.add(folder);
  return folder;
}

/** Deletes a folder that `makeOwnFolder` has made. */
export function removeOwnFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  made.delete(folder);
}

function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}

/** Deletes the folders of processes of this machine that are gone. */
export async function removeFoldersOfDead(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const [, pid, start, host] = NAME.exec(name) ?? [];
    // Another container may share the folder, and its processes cannot be seen from here.
    if (pid === undefined || host !== hostname() || isRunning(Number(pid), start)) continue;
    // One of another user stays.
    await rm(join(root, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** Reports whether a process may run, and have begun at that time: numbers of processes come again, in containers at once. */
function isRunning(pid: number, start: string | undefined): boolean {
  if (!isAlive(pid)) return false;
  const known = readStart(pid);
  return !known || !start || start === known;
}

/** Reads when a process began, in ticks since the machine did; empty where the system does not tell. */
function readStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
