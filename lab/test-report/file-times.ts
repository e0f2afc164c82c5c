import type { TestModule } from 'vitest/node';
import { readProcessorSeconds } from './processor-time.ts';
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
