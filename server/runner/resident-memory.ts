import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Linux counts statm in pages; the page size is 4 KiB on every machine Node is built for but some arm64 kernels. */
const PAGE_BYTES = 4096;

/** Bytes of memory that a process holds now; 0 when there is no such process any more. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux') {
      const [, pages] = (await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ');
      return Number(pages) * PAGE_BYTES;
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) * 1024;
  } catch {
    return 0;
  }
}
