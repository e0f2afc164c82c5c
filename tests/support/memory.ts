import { readdir, readFile } from 'node:fs/promises';

const EVERY_MS = 50;

/**
 * Watches the largest memory of any one process below `pid` (Linux's /proc; elsewhere it sees none).
 * @returns `stop`, which gives the peak of resident bytes
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

/** The high-water mark (VmHWM) of each process below `root`. */
async function peaksBelow(root: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const all = (await Promise.all(pids.map(readStatus))).filter((status) => status !== null);
  const below = new Set([root]);
  for (let before = -1; before !== below.size; ) {
    before = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  return all.filter(({ pid }) => pid !== root && below.has(pid)).map(({ peakBytes }) => peakBytes);
}

async function readStatus(name: string): Promise<{ pid: number; parent: number; peakBytes: number } | null> {
  const text = await readFile(`/proc/${name}/status`, 'utf8').catch(() => null);
  const parent = text?.match(/^PPid:\s+(\d+)/m)?.[1];
  if (!text || !parent) return null;
  return {
    pid: Number(name),
    parent: Number(parent),
    peakBytes: Number(text.match(/^VmHWM:\s+(\d+)/m)?.[1] ?? 0) * 1024,
  };
}
