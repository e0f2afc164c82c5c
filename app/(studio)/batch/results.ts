import type { BatchItem } from './batch.ts';
import { type NamedResult, namedResults } from './result-names.ts';

export function resultsOf({ file, state }: BatchItem): readonly NamedResult[] {
  return state.phase === 'done' ? namedResults(file, state.result) : [];
}

/** Returns the results with each name used once: `a.jpg`, `a-2.jpg`. */
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
