import { OperationError } from '../../../models/core/operation/errors.ts';
import { type NamedResult, withUniqueNames } from '../runs/result-names.ts';

/** Returns results as files, each name used once. */
export function toFiles(results: readonly NamedResult[]): readonly File[] {
  return withUniqueNames(results).map(
    ({ name, file }) => new File([file.blob], name, { type: file.mediaType }),
  );
}

/** Reports whether the system can share files like some results. Reads none of them. */
export function canShare(results: readonly NamedResult[]): boolean {
  const system: Partial<Pick<Navigator, 'canShare'>> = navigator;
  const files = results.map(({ name, file }) => new File([], name, { type: file.mediaType }));
  return files.length > 0 && system.canShare?.({ files }) === true;
}

/**
 * Hands files to the apps of the system.
 * @returns `needs a press` where the press that began it is too long ago
 * @throws OperationError `unsupported` where the system refuses the files
 */
export async function shareFiles(files: readonly File[]): Promise<'ended' | 'needs a press'> {
  try {
    await navigator.share({ files: [...files] });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'NotAllowedError') return 'needs a press';
    // The visitor has closed the sheet of the system.
    if (error.name !== 'AbortError')
      throw new OperationError('unsupported', 'These files can’t be shared from here. Save them instead.');
  }
  return 'ended';
}
