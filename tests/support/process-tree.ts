import { readdir, readFile } from 'node:fs/promises';

/** A process as proc_pid_stat(5) tells: after the name in brackets come its state, its parent and the rest. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** The fields from the state on: `fields[0]` is the third of the manual. */
  readonly fields: readonly string[];
}

/** A process and all below it, at this moment. Linux only: elsewhere there is no /proc, and the list is empty. */
export async function processTree(root: number): Promise<readonly ProcessStat[]> {
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
