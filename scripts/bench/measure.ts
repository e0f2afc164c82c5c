import { type ProcessStat, processTree } from '../../tests/support/process-tree.ts';

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
  const tree = await processTree(pid);
  return tree.length > 0 ? tree.reduce((sum, stat) => sum + cpuSecondsOf(stat), 0) : Number.NaN;
}

/** The user and system time of the process itself and of the children it has waited for. */
function cpuSecondsOf({ fields }: ProcessStat): number {
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / TICKS_PER_SECOND;
}
