import { OperationError } from '../../core/operation/errors.ts';

/**
 * Rejects a file without bytes, such as an upload that was cut off at its start: a message about an unknown format
 * would mislead.
 * @param noun `image`, say
 * @throws OperationError `bad_request`
 */
export function assertNotEmpty(file: Blob, noun: string): void {
  if (file.size > 0) return;
  throw new OperationError('bad_request', `The ${noun} is empty (0 bytes). Send a file with content.`, {
    kind: 'empty',
  });
}
