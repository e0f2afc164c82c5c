import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { OWNER_ONLY } from './file-modes.ts';
import { isAlive } from './is-alive.ts';
import { isStale, startTouching } from './remove-stale.ts';

/** `darkroom-<pid>-<start of the process>-<place>-<random>` */
const NAME = /^darkroom-(\d+)-(\d*)-(.+)-[^-]{6}$/;

/** Host and namespace in which a number names this process: two containers may have the same host name. */
const PLACE = [hostname(), ...readNamespace()].join('-');

/**
 * Age from which a folder of another place counts as left behind: a container that was killed comes back in another
 * namespace. One in use stays younger.
 */
const AGE_MS = 3_600_000;
const TOUCH_EVERY_MS = AGE_MS / 6;

/** Folders of this process, with what ends their touching. One listener deletes them: there may be many. */
const made = new Map<string, () => void>();

/**
 * Makes an empty folder, which is deleted when this process ends. It is named after the process: what a killed one has
 * left can be told.
 */
export function makeOwnFolder(root: string): string {
  mkdirSync(root, { recursive: true, mode: OWNER_ONLY.folder });
  const folder = mkdtempSync(join(root, `darkroom-${process.pid}-${readStart(process.pid)}-${PLACE}-`));
  if (!process.listeners('exit').includes(removeAll)) process.once('exit', removeAll);
  made.set(folder, startTouching(folder, TOUCH_EVERY_MS));
  return folder;
}

/** Deletes a folder that `makeOwnFolder` has made. */
export function removeOwnFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  made.get(folder)?.();
  made.delete(folder);
}

function removeAll(): void {
  for (const folder of made.keys()) rmSync(folder, { recursive: true, force: true });
}

/** Deletes the folders of processes that are gone. */
export async function removeFoldersOfDead(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const [, pid, start, place] = NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(root, name);
    // Other hosts and containers may share `root`, and their processes cannot be seen from here.
    const isLeft = place === PLACE ? !isRunning(Number(pid), start) : await isStale(path, AGE_MS);
    // One of another user stays.
    if (isLeft) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Reads the namespace of this process' number; none where the system has no such. */
function readNamespace(): string[] {
  try {
    return readlinkSync('/proc/self/ns/pid').match(/\d+/) ?? [];
  } catch {
    return [];
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
