import { type ErrorCode, INPUT_ERRORS, OperationError } from '../../../models/core/operation/errors.ts';
import type { OperationId } from '../../../models/registry.ts';
import { nounFor } from '../files/media-kind.ts';
import { TOOL_LIST, TOOLS } from '../tools/tools.ts';
import { FAILURE_TEXTS } from './describe-failure.ts';
import { isServerError } from './server-error.ts';

/**
 * Words a failure for the visitor: what is wrong with the file, and what to do. What is not the file's fault stays as
 * it is.
 */
export async function explainFailure(
  thrown: unknown,
  file: File,
  operationId: OperationId,
): Promise<unknown> {
  if (!(thrown instanceof OperationError && INPUT_ERRORS.includes(thrown.code))) return thrown;
  const fault = await getFault(file, operationId).catch(() => null);
  if (fault !== null) return new OperationError(fault.code ?? thrown.code, fault.message, { cause: thrown });
  // What has no kind is a limit of the tool, which others may not have.
  const isOfTool = thrown.kind === undefined && thrown.code === 'bad_request' && !isServerError(thrown);
  return isOfTool ? new OperationError('unsupported', thrown.message, { cause: thrown }) : thrown;
}

interface Fault {
  readonly message: string;
  /** Absent: as it was thrown. */
  readonly code?: ErrorCode;
}

/** Finds the fault of a file; null where its bytes do not show it. */
async function getFault(file: File, operationId: OperationId): Promise<Fault | null> {
  if (file.size === 0) return { message: FAILURE_TEXTS.empty };
  // Loaded on the first failure, so that no page bundle contains them.
  const [{ detectMedia }, { findMissingEnd }] = await Promise.all([
    import('../../../models/media/containers/video-header.ts'),
    import('../../../models/media/containers/find-missing-end.ts'),
  ]);
  const kind = await detectMedia(file);
  const named = `This .${file.name.split('.').pop()} is`;
  if (kind === null)
    return { message: `${named} no ${nounFor([file])} that Darkroom knows. Choose another file.` };
  if (!TOOLS[operationId].takes.includes(kind)) {
    const other = TOOL_LIST.find(({ takes }) => takes.includes(kind));
    const advice = other ? `Open it in ${other.name}.` : 'Choose another file.';
    return { message: `${named} ${kind === 'image' ? 'an' : 'a'} ${kind}. ${advice}`, code: 'unsupported' };
  }
  const missing = await findMissingEnd(file);
  if (!missing) return null;
  const { presentShare } = missing;
  const percent = Math.floor((presentShare ?? 0) * 100);
  const part = percent < 1 ? 'hardly any of it' : `only the first ${percent} %`;
  const there = presentShare === null ? '' : `: ${part} is here`;
  return { message: `The end of this file is missing${there}. Get the whole file and add it again.` };
}
