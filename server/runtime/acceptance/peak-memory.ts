import { readFile, writeFile } from 'node:fs/promises';

/**
 * Begins to watch the memory of this process.
 * @returns a function that returns how much its peak since then exceeds what it held then, in bytes
 */
export async function watchPeakMemory(): Promise<() => Promise<number>> {
  const before = process.memoryUsage.rss();
  // The kernel forgets the peak of what ran before; where it cannot, the peak is that of the process's life.
  await writeFile('/proc/self/clear_refs', '5').catch(() => {});
  return async () => Math.max(0, (await readPeakBytes()) - before);
}

async function readPeakBytes(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kibibytes) * 1024;
}
