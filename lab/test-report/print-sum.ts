// `print-sum.ts REPORT...` prints the tests that failed and those that ran twice and, as its last line, one sum of all
// reports. It fails when a test has failed, a report is missing, or too many tests ran twice.
import { readReport } from './read-report.ts';
import { describeSum, sumReports } from './sum-reports.ts';

const sum = sumReports(process.argv.slice(2).map(readReport));
console.log(describeSum(sum).join('\n'));
process.exitCode = sum.isSuccess ? 0 : 1;
