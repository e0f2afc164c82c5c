import { OperationError } from '../../core/operation/errors.ts';

/** Makes the error for an image of which samples are missing, not only the end. */
export function truncatedError(format: 'JPEG' | 'PNG', cause?: unknown): OperationError {
  return new OperationError(
    'unprocessable',
    `The image is a ${format} that ends too early: a part of it is missing. Send the whole file.`,
    { kind: 'damaged', cause },
  );
}
