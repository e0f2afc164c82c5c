import { batchId, findModel } from './batch.ts';
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

/** What may be asked for, allowed and priced by name: each operation, and its batches where it takes them. */
export type ModelId = OperationId | `${OperationId}-batch`;

export const MODEL_IDS: readonly ModelId[] = Object.values(OPERATIONS).flatMap(({ id, batch }): ModelId[] =>
  batch ? [id, batchId(id)] : [id],
);

export function isModelId(value: string): value is ModelId {
  return findModel(OPERATIONS, value) !== undefined;
}
