import { listProcessTree, type ProcessStat } from '../support/process-tree.ts';

/** Returns the median of the numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Returns the smallest of the numbers that a share of them, 0 to 1, does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}

/** Measures the duration of `work` in ms. */
export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

/** Prints one line of the report: a name, the figure, and its ratio to the bare library in the same run. */
export function report(name: string, figures: Readonly<Record<string, string>>): void {
  const text = Object.entries(figures).map(([key, value]) => `${key} ${value}`);
  console.log(`${name.padEnd(42)} ${text.join(' · ')}`);
}

export const ms = (value: number): string => `${value.toFixed(1)} ms`;
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const ratio = (a: number, b: number): string => (a / b).toFixed(2);

const TICKS_PER_SECOND = 100;

/** Returns the CPU seconds of a process and its descendants. Linux only: NaN elsewhere, without /proc. */
export async function cpuSecondsOfTree(pid: number): Promise<number> {
  const tree = await listProcessTree(pid);
  return tree.length > 0 ? tree.reduce((sum, stat) => sum + getCpuSeconds(stat), 0) : Number.NaN;
}

/** Returns the processor seconds of one process, without its children's. */
export function getOwnCpuSeconds({ fields }: ProcessStat): number {
  return fields.slice(11, 13).reduce((sum, field) => sum + Number(field), 0) / TICKS_PER_SECOND;
}

/** Returns the user and system time of the process and of the children it has waited for. */
function getCpuSeconds({ fields }: ProcessStat): number {
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / TICKS_PER_SECOND;
}
