// `print-times.ts REPORT...` prints where the time of the reported runs went, as the tables of lab/notebook/tests.md.
import { describeTimes, readReport } from './report.ts';

const reports = process.argv.slice(2).flatMap((path) => readReport(path) ?? []);
console.log(describeTimes(reports));
for (const { seconds, processorSeconds } of reports) {
  console.log(`\n${Math.round(seconds)} s, ${Math.round(processorSeconds)} s of processor time in all`);
}
