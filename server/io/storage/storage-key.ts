import { OperationError } from '../../../models/core/operation/errors.ts';

const FOLDERS: readonly string[] = ['inputs', 'outputs', 'packages'];

/**
 * Checks that a key names one object below `inputs/`, `outputs/` or `packages/` and nothing outside.
 * @throws OperationError `internal`: keys are made by us, so a bad one is a bug
 */
export function assertStorageKey(key: string): string {
  const segments = key.split('/');
  const sound =
    FOLDERS.includes(segments[0] ?? '') &&
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
