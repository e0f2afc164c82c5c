import { INPUT_FAULTS, OperationError } from '../../../models/errors.ts';
import { nounFor } from '../files/media-kind.ts';

/**
 * Words a failure for the visitor: what is wrong with the file, and what to do. What is not the file's fault stays as
 * it is.
 */
export async function explainFailure(thrown: unknown, file: File): Promise<unknown> {
  if (!(thrown instanceof OperationError && INPUT_FAULTS.includes(thrown.code))) return thrown;
  const message = await faultOf(file).catch(() => null);
  return message === null ? thrown : new OperationError(thrown.code, message, { cause: thrown });
}

/** Returns what is wrong with a file that no tool can read; null where its bytes do not tell. */
async function faultOf(file: File): Promise<string | null> {
  if (file.size === 0) return 'This file is empty. Choose another one.';
  // Loaded on the first failure, so that no page bundle contains them.
  const [{ mediaOf }, { findMissingEnd }] = await Promise.all([
    import('../../../models/files/containers/video-header.ts'),
    import('../../../models/files/headers/missing-end.ts'),
  ]);
  if ((await mediaOf(file)) === null) {
    const noun = nounFor([file]);
    const ending = file.name.split('.').pop();
    return `This is named .${ending} but is no ${noun} that Darkroom knows. Choose another file.`;
  }
  const missing = await findMissingEnd(file);
  if (!missing) return null;
  const { presentShare } = missing;
  const there = presentShare === null ? '' : `: only the first ${Math.floor(presentShare * 100)} % is here`;
  return `The end of this file is missing${there}. Get the whole file and add it again.`;
}
