import type { NamedTest, TestFailure, TestReport } from './report.ts';

/** Retried tests above which a run fails: some may be chance, more are a fault that has to be mended. */
export const RETRIES_MAX = 3;

type Sum = Pick<TestReport, 'passed' | 'failures' | 'retried'>;

/** Whether no test has failed, and few enough needed a second attempt. */
export const isSuccess = ({ failures, retried }: Sum): boolean =>
  failures.length === 0 && retried.length <= RETRIES_MAX;

/** The first lines of each message are shown: what failed, and where. The whole is in the output of the run. */
const MESSAGE_LINES = 12;

/** Describes a run in lines: the failures and the retried tests first, the counts last. */
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
