import { readdir, readFile } from 'node:fs/promises';

/** The middle one of the numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** How long `work` takes, in ms. */
export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

/** One line of the report: a name, what was measured, and how it stands to the bare library in the same run. */
export function report(name: string, figures: Readonly<Record<string, string>>): void {
  const text = Object.entries(figures).map(([key, value]) => `${key} ${value}`);
  console.log(`${name.padEnd(42)} ${text.join(' · ')}`);
}

export const ms = (value: number): string => `${value.toFixed(1)} ms`;
export const ratio = (a: number, b: number): string => (a / b).toFixed(2);

const TICKS_PER_SECOND = 100;

/** CPU seconds used so far by a process and all below it. Linux only: elsewhere there is no /proc, and it is NaN. */
export async function cpuSecondsOfTree(pid: number): Promise<number> {
  const pids = await readdir('/proc').catch(() => []);
  const stats = await Promise.all(pids.filter((name) => /^\d+$/.test(name)).map(readStat));
  const known = stats.filter((stat) => stat !== null);
  const below = new Set([pid]);
  for (let before = -1; before !== below.size; ) {
    before = below.size;
    for (const stat of known) if (below.has(stat.parent)) below.add(stat.pid);
  }
  const counted = known.filter((stat) => below.has(stat.pid));
  return counted.length > 0 ? counted.reduce((sum, stat) => sum + stat.cpuSeconds, 0) : Number.NaN;
}

/** See proc_pid_stat(5): after the name in brackets come state, parent, ... and user, system time of self and reaped. */
async function readStat(pid: string): Promise<{ pid: number; parent: number; cpuSeconds: number } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid: Number(pid), parent: Number(fields[1]), cpuSeconds: ticks / TICKS_PER_SECOND };
}
