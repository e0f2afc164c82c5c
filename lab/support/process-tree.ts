import { readdir, readFile } from 'node:fs/promises';

/** Process as proc_pid_stat(5) describes it: after the name in brackets come its state, its parent and the rest. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** Fields from the state on: `fields[0]` is the manual's third. */
  readonly fields: readonly string[];
}

/** Lists a process and its descendants, at this moment. Linux only: empty elsewhere, without /proc. */
export async function listProcessTree(root: number): Promise<readonly ProcessStat[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const all = (await Promise.all(pids.map(readStat))).filter((stat) => stat !== null);
  const tree = new Set([root]);
  for (let before = -1; before !== tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return all.filter(({ pid }) => tree.has(pid));
}

async function readStat(pid: string): Promise<ProcessStat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid: Number(pid), parent: Number(fields[1]), fields };
}

/**
 * Returns the proportional set size of a process in bytes: its memory, with shares of what others use as well. Linux
 * only; 0 for a process that has ended.
 */
export async function readProportionalBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}
