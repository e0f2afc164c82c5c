import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import { FileTimes, readProcessorSeconds } from './processor-time.ts';
import type { TestFailure, TestReport } from './report.ts';
import { describeSum, isSuccess } from './report.ts';

/**
 * Ends a run with its sum, `N passed, N failed`, alone on the last line, and fails it when too many tests needed a
 * second attempt. Writes a report into the file that the environment variable TEST_REPORT names.
 */
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
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const report: TestReport = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failures: listFailures(modules, errors, reason),
      retried: tests.filter((test) => test.diagnostic()?.flaky).map(describeTest),
      files: [...this.#times.list()],
      seconds: (Date.now() - this.#startedMs) / 1000,
      processorSeconds: readProcessorSeconds(process.pid),
    };
    const path = process.env.TEST_REPORT;
    if (path) writeFileSync(path, JSON.stringify(report));
    console.log(describeSum(report).join('\n'));
    if (!isSuccess(report)) process.exitCode = 1;
  }
}

/** Lists the failed tests, files that cannot be imported, and, when neither explains a failed run, the run itself. */
function listFailures(
  modules: readonly TestModule[],
  errors: readonly SerializedError[],
  reason: TestRunEndReason,
): TestFailure[] {
  const failures = modules.flatMap((module) => [
    ...(module.errors().length > 0 ? [describeModule(module)] : []),
    ...[...module.children.allTests('failed')].map(describeTest),
  ]);
  if (failures.length > 0 || (reason === 'passed' && errors.length === 0)) return failures;
  return [{ project: '', file: '', name: '', message: joinMessages(errors) || `The run was ${reason}.` }];
}

const describeTest = (test: TestCase): TestFailure => ({
  ...nameTest(test),
  message: joinMessages(test.result().errors ?? []),
});

const describeModule = (module: TestModule): TestFailure => ({
  project: module.project.name,
  file: module.relativeModuleId,
  name: '',
  message: joinMessages(module.errors()),
});

/** Joins errors. A stack begins with its message, but for that of a time limit, whose stack has words of vitest's own. */
const joinMessages = (errors: readonly SerializedError[]): string =>
  errors
    .map(({ stack = '', message }) => (stack.includes(message) ? stack : `${message}\n${stack}`))
    .join('\n');

const nameTest = (test: TestCase) => ({
  project: test.project.name,
  file: test.module.relativeModuleId,
  name: test.fullName,
});
