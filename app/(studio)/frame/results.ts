import type { OutputFile } from '../../../models/operation.ts';
import type { BatchItem, FileResult } from './batch.ts';

export interface NamedResult {
  readonly name: string;
  readonly file: OutputFile;
}

/** What a file gave, named after the file it was made from: `holiday.heic` gives `holiday.jpg`. */
export function namedResults(source: File, result: FileResult): readonly NamedResult[] {
  const stem = source.name.replace(/\.[^.]+$/, '') || 'picture';
  return result.files.map((file) => ({ name: `${stem}.${file.name.split('.').pop()}`, file }));
}

export function resultsOf({ file, state }: BatchItem): readonly NamedResult[] {
  return state.phase === 'done' ? namedResults(file, state.result) : [];
}

/** The same results with each name used once: `a.jpg`, `a-2.jpg`. */
export function withUniqueNames(results: readonly NamedResult[]): readonly NamedResult[] {
  const used = new Set<string>();
  return results.map(({ name, file }) => {
    let unique = name;
    for (let copy = 2; used.has(unique.toLowerCase()); copy++)
      unique = name.replace(/(\.[^.]+)$/, `-${copy}$1`);
    used.add(unique.toLowerCase());
    return { name: unique, file };
  });
}

/** Gives a blob to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the bytes once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** One file as it is, several in a zip. */
export async function saveResults(results: readonly NamedResult[], zipName: string): Promise<void> {
  const [only] = results;
  if (only && results.length === 1) return saveBlob(only.file.blob, only.name);
  const { downloadZip } = await import('client-zip');
  const entries = withUniqueNames(results).map(({ name, file }) => ({ name, input: file.blob }));
  saveBlob(await downloadZip(entries).blob(), zipName);
}
