import { mediaConvertImage } from './media-convert-image/operation.ts';
import { removeBg } from './remove-bg/operation.ts';

/** The one list of operations. Every route, page, price and document flows from it. */
export const OPERATIONS = {
  'media-convert-image': mediaConvertImage,
  'remove-bg': removeBg,
} as const;

export type OperationId = keyof typeof OPERATIONS;

/** An operation that is in the list, with its own id. */
export type RegisteredOperation = (typeof OPERATIONS)[OperationId];

export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];

export function isOperationId(value: string): value is OperationId {
  return Object.hasOwn(OPERATIONS, value);
}
