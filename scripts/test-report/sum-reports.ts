import type { RetriedTest, TestReport } from './report.ts';

/** Retried tests above which a suite fails: some may be chance, more are a fault that nobody mends. */
export const RETRIES_MAX = 3;

export interface Sum {
  readonly passed: number;
  readonly failed: number;
  readonly retried: readonly RetriedTest[];
  readonly isSuccess: boolean;
}

/**
 * Adds up the reports of several runs.
 * @param reports undefined for a run that ended before its report, which counts as one failure
 */
export function sumReports(reports: readonly (TestReport | undefined)[]): Sum {
  const retried = reports.flatMap((report) => report?.retried ?? []);
  const failed = reports.reduce((sum, report) => sum + (report?.failed ?? 1), 0);
  return {
    passed: reports.reduce((sum, report) => sum + (report?.passed ?? 0), 0),
    failed,
    retried,
    isSuccess: failed === 0 && retried.length <= RETRIES_MAX,
  };
}

/** Describes a sum in lines: the retried tests first, the counts last. */
export function describeSum({ passed, failed, retried }: Sum): readonly string[] {
  const limit = retried.length > RETRIES_MAX ? `, more than the ${RETRIES_MAX} that are allowed` : '';
  return [
    `${retried.length} tests passed only in their second attempt${limit}`,
    ...retried.map(({ project, file, name }) => `  ${project}: ${file} > ${name}`),
    `${passed} passed, ${failed} failed`,
  ];
}
