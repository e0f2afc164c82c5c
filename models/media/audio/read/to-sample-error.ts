import { OperationError } from '../../../core/operation/errors.ts';

/** Converts an error of a decoder to the error of the file. An abort and `unavailable` stay as they are. */
export function toSampleError(cause: unknown): unknown {
  if (cause instanceof Error && cause.name === 'AbortError') return cause;
  if (cause instanceof OperationError && cause.code === 'unavailable') return cause;
  return new OperationError('unprocessable', 'The audio is damaged. Export it again.', {
    kind: 'damaged',
    cause,
  });
}
