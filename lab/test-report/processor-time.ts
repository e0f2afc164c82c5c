import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in this unit, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  /** Ticks of the process and of all its children that have ended. */
  readonly ticks: number;
}

/**
 * Returns the processor time that a process and all its descendants have taken, in seconds; 0 where Linux's /proc is
 * missing.
 */
export function readProcessorSeconds(root: number): number {
  const processes = readProcesses();
  const family = new Set([root]);
  // A child may stand before its parent in the list: rounds go on until none is added.
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  const ticks = processes.filter(({ pid }) => family.has(pid)).reduce((sum, each) => sum + each.ticks, 0);
  return ticks / TICKS_PER_SECOND;
}

function readProcesses(): readonly ProcessTimes[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readProcess(name) ?? []);
  } catch {
    return [];
  }
}

function readProcess(pid: string): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in parentheses, and may hold spaces and parentheses itself.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    return { pid: Number(pid), parent, ticks: fields.slice(11, 15).reduce((sum, each) => sum + each, 0) };
  } catch {
    // It has ended since the list was read.
    return undefined;
  }
}
