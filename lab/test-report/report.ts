import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Retried tests above which a run fails: some may be chance, more are a fault that has to be mended. */
const RETRIES_MAX = 3;

type Sum = Pick<TestReport, 'passed' | 'failures' | 'retried'>;

/** Whether no test has failed, and few enough needed a second attempt. */
export const isSuccess = ({ failures, retried }: Sum): boolean =>
  failures.length === 0 && retried.length <= RETRIES_MAX;

/** The first lines of each message are shown: what failed, and where. The whole is in the output of the run. */
const MESSAGE_LINES = 12;

const firstLines = ({ message }: TestFailure): readonly string[] =>
  message.split('\n', MESSAGE_LINES).map((line) => `    ${line}`);

const FILES_SHOWN = 40;

const describeProject = (name: string, files: readonly FileTime[]): string =>
  `| \`${name}\` | ${files.length} | ${sum(files, 'tests')} | ${Math.round(sum(files, 'processorSeconds'))} |`;

const sum = (files: readonly FileTime[], key: 'tests' | 'processorSeconds'): number =>
  files.reduce((total, file) => total + file[key], 0);

const namedTest = z.object({ project: z.string(), file: z.string(), name: z.string() });

const failure = namedTest.extend({
  /** Errors of its attempts, joined by line breaks. */
  message: z.string(),
});

const fileTime = z.object({
  project: z.string(),
  file: z.string(),
  /** Tests that ran: those that a filter leaves out do not count. */
  tests: z.number(),
  /** From the import of the file to the end of its last hook. */
  seconds: z.number(),
  /** Time of all processes while the file ran, shared equally among the files that ran together. */
  processorSeconds: z.number(),
});

/** The report of one run of vitest, which `run-reporter.ts` makes and `print-times.ts` reads. */
export const testReport = z.object({
  passed: z.number(),
  /** Failed tests. A file or a run that fails outside of its tests is one failure with an empty name. */
  failures: z.array(failure),
  /** Tests that passed in their second attempt. */
  retried: z.array(failure),
  files: z.array(fileTime),
  seconds: z.number(),
  /** Includes what no file accounts for: the start of vitest, the build and the services that several files share. */
  processorSeconds: z.number(),
});

export type FileTime = z.infer<typeof fileTime>;

export type NamedTest = z.infer<typeof namedTest>;

export type TestFailure = z.infer<typeof failure>;

export type TestReport = z.infer<typeof testReport>;

/** Reads the report of a run; undefined when the run ended before it wrote one. */
export function readReport(path: string): TestReport | undefined {
  try {
    return testReport.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Describes where the time of several runs went, as Markdown: a sum for each project, and the slowest files. */
export function describeTimes(reports: readonly TestReport[]): string {
  const files = reports.flatMap((report) => report.files);
  const slowest = files.toSorted((a, b) => b.processorSeconds - a.processorSeconds).slice(0, FILES_SHOWN);
  const projects = [...new Set(files.map(({ project }) => project))];
  return [
    '| Project | Files | Tests | Processor time (s) |',
    '| --- | ---: | ---: | ---: |',
    ...projects.map((name) =>
      describeProject(
        name,
        files.filter(({ project }) => project === name),
      ),
    ),
    '',
    '| File | Tests | Time (s) | Processor time (s) |',
    '| --- | ---: | ---: | ---: |',
    ...slowest.map(
      ({ file, tests, seconds, processorSeconds }) =>
        `| \`${file}\` | ${tests} | ${seconds.toFixed(1)} | ${processorSeconds.toFixed(1)} |`,
    ),
  ].join('\n');
}

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

function nameTest({ project, file, name }: NamedTest): string {
  if (!file) return 'the run itself';
  return `${project}: ${file}${name && ` > ${name}`}`;
}
