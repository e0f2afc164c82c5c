import type { NamedTest, TestFailure, TestReport } from './report.ts';

/** Retried tests above which a suite fails: some may be chance, more are a fault that nobody mends. */
export const RETRIES_MAX = 3;

export interface Sum {
  readonly passed: number;
  readonly failures: readonly TestFailure[];
  readonly retried: readonly TestFailure[];
  readonly isSuccess: boolean;
}

/**
 * Adds up the reports of several runs.
 * @param reports undefined for a run that ended before its report, which counts as one failure
 */
export function sumReports(reports: readonly (TestReport | undefined)[]): Sum {
  const retried = reports.flatMap((report) => report?.retried ?? []);
  const failures = reports.flatMap((report) => report?.failures ?? [MISSING_REPORT]);
  return {
    passed: reports.reduce((sum, report) => sum + (report?.passed ?? 0), 0),
    failures,
    retried,
    isSuccess: failures.length === 0 && retried.length <= RETRIES_MAX,
  };
}

const MISSING_REPORT: TestFailure = {
  project: '',
  file: '',
  name: '',
  message: 'A run ended before it wrote its report.',
};

/** The first lines of each message are shown: what failed, and where. The whole is in the output of the run. */
const MESSAGE_LINES = 12;

/** Describes a sum in lines: the failures and the retried tests first, the counts last. */
export function describeSum({ passed, failures, retried }: Sum): readonly string[] {
  const limit = retried.length > RETRIES_MAX ? `, more than the ${RETRIES_MAX} that are allowed` : '';
  return [
    ...failures.flatMap((failure) => [`FAILED ${nameTest(failure)}`, ...firstLines(failure)]),
    `${retried.length} tests passed only in their second attempt${limit}`,
    ...retried.flatMap((test) => [`  ${nameTest(test)}`, ...firstLines(test)]),
    `${passed} passed, ${failures.length} failed`,
  ];
}

const firstLines = ({ message }: TestFailure): readonly string[] =>
  message.split('\n', MESSAGE_LINES).map((line) => `    ${line}`);

function nameTest({ project, file, name }: NamedTest): string {
  if (!file) return 'the run itself';
  return `${project}: ${file}${name && ` > ${name}`}`;
}
