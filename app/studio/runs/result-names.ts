import type { OutputFile } from '../../../models/core/operation/run-result.ts';
import { findTarget } from '../../../models/media/image/find-format.ts';
import type { BatchItem, FileResult } from './batch.ts';

export interface NamedResult {
  readonly name: string;
  readonly file: OutputFile;
}

/**
 * Returns a file's results, named after the source: `holiday.heic` gives `holiday.jpg`, never `.jpeg`, or
 * `holiday-cutout.png` with a suffix. Several results, and one whose name says more than `output`, keep their own names
 * as suffixes: `song.wav` gives `song-vocals.mp3` and `song-no_vocals.mp3`. Names that the params ask for stay.
 */
export function nameResults(
  source: Pick<File, 'name'>,
  { files, names = [], suffix = '' }: Pick<FileResult, 'files' | 'names' | 'suffix'>,
): readonly NamedResult[] {
  const stem = `${source.name.replace(/\.[^.]+$/, '') || 'image'}${suffix}`;
  const getName = ({ name }: OutputFile) =>
    files.length > 1 || (suffix === '' && !name.startsWith('output.'))
      ? `${stem}-${name}`
      : `${stem}.${usualExtension(name.split('.').pop() ?? '')}`;
  return files.map((file, at) => ({ name: names[at] ?? getName(file), file }));
}

/** Returns the name of a copy of a file: `a.jpg`, `a-2.jpg`. @param copy from 1, the file itself */
export function copyName(name: string, copy: number): string {
  return copy === 1 ? name : name.replace(/(\.[^.]*)?$/, `-${copy}$1`);
}

/** Returns the results with each name used once: `a.jpg`, `a-2.jpg`. */
export function withUniqueNames(results: readonly NamedResult[]): readonly NamedResult[] {
  const used = new Set<string>();
  return results.map(({ name, file }) => {
    let unique = name;
    for (let copy = 2; used.has(unique.toLowerCase()); copy++) unique = copyName(name, copy);
    used.add(unique.toLowerCase());
    return { name: unique, file };
  });
}

/** Files of a download that come from one source. */
export interface SourceResults {
  readonly source: Pick<File, 'name'>;
  readonly results: readonly NamedResult[];
}

/** Returns the results of several sources, with a folder for each source of which there are several. */
export function inFolders(groups: readonly SourceResults[]): readonly NamedResult[] {
  if (groups.length < 2) return groups.flatMap(({ results }) => results);
  const used = new Set<string>();
  return groups.flatMap(({ source, results }) => {
    if (results.length < 2) return results;
    const stem = source.name.replace(/\.[^.]+$/, '') || 'file';
    let folder = stem;
    for (let copy = 2; used.has(folder.toLowerCase()); copy++) folder = `${stem}-${copy}`;
    used.add(folder.toLowerCase());
    return results.map(({ name, file }) => ({ name: `${folder}/${name}`, file }));
  });
}

/** Returns the usual one of the names that a format has as a target. */
function usualExtension(extension: string): string {
  return findTarget(extension)?.targetNames[0] ?? extension;
}

/** Returns a name that only one run of a file has, and that is stored with its result. */
export function nameRun({ state }: BatchItem): string {
  return state.phase === 'done' ? String(state.durationSeconds) : '';
}
