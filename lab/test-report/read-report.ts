import { readFileSync } from 'node:fs';
import { type TestReport, testReport } from './report.ts';

/** Reads the report of a run; undefined when the run ended before it wrote one. */
export function readReport(path: string): TestReport | undefined {
  try {
    return testReport.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
