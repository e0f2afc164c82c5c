import type { FileTime, TestReport } from './report.ts';

const FILES_SHOWN = 40;

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

const describeProject = (name: string, files: readonly FileTime[]): string =>
  `| \`${name}\` | ${files.length} | ${sum(files, 'tests')} | ${Math.round(sum(files, 'processorSeconds'))} |`;

const sum = (files: readonly FileTime[], key: 'tests' | 'processorSeconds'): number =>
  files.reduce((total, file) => total + file[key], 0);
