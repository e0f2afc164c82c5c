import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Free memory of a machine that has too little for any run. */
const FREE_BYTES_MIN = 100_000_000;

/** Linux counts statm in pages; the page size is 4 KiB on every supported machine except some arm64 kernels. */
const PAGE_BYTES = 4096;

/** Returns the resident memory of a process in bytes; 0 when it no longer exists. */
export async function readResidentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux') {
      // The kernel responds from memory: passing it to another thread would take ten times as long.
      const [, pages] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
      return Number(pages) * PAGE_BYTES;
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) * 1024;
  } catch {
    return 0;
  }
}

/** Linux counts processor time in hundredths of a second on all machines. */
const TICKS_PER_SECOND = 100;

/**
 * Returns the processor time of a process so far, in all its threads; undefined when it no longer exists, and where the
 * system is not Linux.
 */
export function readProcessorSeconds(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/**
 * Reports whether the machine, or the container, has no memory left: a refused allocation is then not the run's fault.
 */
export function isMemoryExhausted(): boolean {
  return process.availableMemory() < FREE_BYTES_MIN;
}
