import { OperationError } from '../../../core/operation/errors.ts';

/** Makes the error for a damaged file. @param reason a clause that says what is wrong */
export function damagedTiff(reason: string): OperationError {
  return new OperationError('unprocessable', `The image is a damaged TIFF: ${reason}.`, { kind: 'damaged' });
}
