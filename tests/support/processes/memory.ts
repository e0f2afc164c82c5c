import { readFile } from 'node:fs/promises';
import { listProcessTree } from '../../../lab/support/process-tree.ts';

const EVERY_MS = 50;

/**
 * Records the peak memory of any one process below `pid` (Linux's /proc; on other systems it finds none).
 * @returns `stop`, which returns the peak of resident bytes
 */
export function watchMemory(pid: number): { stop(): Promise<number> } {
  let peakBytes = 0;
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      peakBytes = Math.max(peakBytes, ...(await peaksBelow(pid)));
      await new Promise((next) => setTimeout(next, EVERY_MS));
    }
  })();
  return {
    async stop() {
      stopped = true;
      await watching;
      return peakBytes;
    },
  };
}

/** Reads the high-water mark (VmHWM) of each process below `root`. */
async function peaksBelow(root: number): Promise<number[]> {
  const below = (await listProcessTree(root)).filter(({ pid }) => pid !== root);
  return Promise.all(below.map(({ pid }) => readPeakBytes(pid)));
}

/**
 * Reads a process's peak of resident bytes, since it began its program: `resourceUsage().maxRSS` counts from the fork
 * on, and thus includes the size of its parent.
 * @returns 0 for a process that has ended
 */
export async function readPeakBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(status.match(/^VmHWM:\s+(\d+)/m)?.[1] ?? 0) * 1024;
}
