import { readdirSync, readFileSync } from 'node:fs';
import type { TestModule } from 'vitest/node';
import type { FileTime } from './report.ts';

/** Divides the processor time of vitest and all it starts among the test files that run at each moment. */
export class FileTimes {
  readonly #running = new Map<string, { readonly startedMs: number; processorSeconds: number }>();
  readonly #ended: FileTime[] = [];
  #measuredSeconds = 0;

  start({ moduleId }: TestModule): void {
    this.#divide();
    this.#running.set(moduleId, { startedMs: Date.now(), processorSeconds: 0 });
  }

  end(module: TestModule): void {
    this.#divide();
    const running = this.#running.get(module.moduleId);
    if (!running) return;
    this.#running.delete(module.moduleId);
    const tests = [...module.children.allTests()].filter((test) => test.result().state !== 'skipped').length;
    this.#ended.push({
      project: module.project.name,
      file: module.relativeModuleId,
      tests,
      seconds: (Date.now() - running.startedMs) / 1000,
      processorSeconds: running.processorSeconds,
    });
  }

  list(): readonly FileTime[] {
    return this.#ended;
  }

  #divide(): void {
    const seconds = readProcessorSeconds(process.pid);
    // The time of a process whose parent has ended is lost: the sum may fall.
    const share = Math.max(0, seconds - this.#measuredSeconds) / this.#running.size;
    this.#measuredSeconds = seconds;
    for (const running of this.#running.values()) running.processorSeconds += share;
  }
}

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
