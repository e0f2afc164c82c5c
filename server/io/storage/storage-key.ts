import { OperationError } from '../../../models/core/operation/errors.ts';

/**
 * Checks that a key names one object below `inputs/` or `outputs/` and nothing outside.
 * @throws OperationError `internal`: keys are made by us, so a bad one is a bug
 */
export function assertStorageKey(key: string): string {
  const segments = key.split('/');
  const sound =
    (segments[0] === 'inputs' || segments[0] === 'outputs') &&
    segments.length > 1 &&
    segments.every(isSegment) &&
    Buffer.byteLength(key) <= 1024;
  if (!sound) throw new OperationError('internal', `"${key}" is not a storage key.`);
  return key;
}

function isSegment(segment: string): boolean {
  const bytes = Buffer.byteLength(segment);
  return bytes >= 1 && bytes <= 255 && segment !== '.' && segment !== '..' && !/[\p{Cc}\\]/u.test(segment);
}

export function missingObject(key: string): OperationError {
  return new OperationError('not_found', `There is no object "${key}" in storage.`);
}
