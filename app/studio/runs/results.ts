import type { BatchItem } from './batch.ts';
import { type NamedResult, nameResults, withUniqueNames } from './result-names.ts';

const REPORT_TYPE = 'application/json';

/** Returns the files of a result. A result without files is a report of what the run found. */
export function getResults({ file, state }: BatchItem): readonly NamedResult[] {
  if (state.phase !== 'done') return [];
  const { result } = state;
  return result.files.length > 0 || !result.details
    ? nameResults(file, result)
    : [reportOnce(file, result.details, result.suffix)];
}

/** Reports by their content: pages compare files by identity. */
const reports = new WeakMap<object, NamedResult>();

function reportOnce(source: File, details: object, suffix?: string): NamedResult {
  const report = reports.get(details) ?? getReport(source, details, suffix);
  reports.set(details, report);
  return report;
}

/** Writes a run's findings as JSON, under the names that they have in a response of the API. */
export function getReport(source: File, details: object, suffix?: string): NamedResult {
  const blob = new Blob([`${JSON.stringify(details, null, 2)}\n`], { type: REPORT_TYPE });
  const report = { name: 'output.json', mediaType: REPORT_TYPE, blob };
  const [named] = nameResults(source, { files: [report], suffix });
  return named;
}

/** Returns what shows a file in small: its result, unless that is a report. */
export function getPreview(item: BatchItem): Blob {
  const [result] = getResults(item);
  return result && result.file.mediaType !== REPORT_TYPE ? result.file.blob : item.file;
}

/** Saves a blob to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download holds the bytes itself once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Saves one file as it is, several as a zip. */
export async function saveResults(results: readonly NamedResult[], zipName: string): Promise<void> {
  const [only] = results;
  if (only && results.length === 1) return saveBlob(only.file.blob, only.name);
  const { downloadZip } = await import('client-zip');
  const entries = withUniqueNames(results).map(({ name, file }) => ({ name, input: file.blob }));
  saveBlob(await downloadZip(entries).blob(), zipName);
}
