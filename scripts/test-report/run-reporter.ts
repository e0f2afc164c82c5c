import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import { FileTimes } from './file-times.ts';
import { readProcessorSeconds } from './processor-time.ts';
import type { TestReport } from './report.ts';

/** Writes a report of the run into the file that the environment variable TEST_REPORT names. */
export class RunReporter implements Reporter {
  readonly #times = new FileTimes();
  readonly #startedMs = Date.now();

  onTestModuleQueued(module: TestModule): void {
    this.#times.start(module);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#times.end(module);
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const path = process.env.TEST_REPORT;
    if (!path) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const report: TestReport = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed: countFailures(tests, reason === 'passed' && errors.length === 0),
      retried: tests.filter((test) => test.diagnostic()?.flaky).map(nameTest),
      files: [...this.#times.list()],
      seconds: (Date.now() - this.#startedMs) / 1000,
      processorSeconds: readProcessorSeconds(process.pid),
    };
    writeFileSync(path, JSON.stringify(report));
  }
}

/** Counts the failed tests; a run that fails otherwise, as by a file that cannot be imported, is one failure. */
function countFailures(tests: readonly TestCase[], isSuccess: boolean): number {
  const failed = tests.filter((test) => test.result().state === 'failed').length;
  return failed || (isSuccess ? 0 : 1);
}

const nameTest = (test: TestCase) => ({
  project: test.project.name,
  file: test.module.relativeModuleId,
  name: test.fullName,
});
