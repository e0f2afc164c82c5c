import { readFile } from 'node:fs/promises';

/**
 * Returns the proportional set size of a process in bytes: its memory, with shares of what others use as well. Linux
 * only; 0 for a process that has ended.
 */
export async function readProportionalBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}
