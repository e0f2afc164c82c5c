import { audioDiarize } from './audio-diarize/operation.ts';
import { audioSeparateStems } from './audio-separate-stems/operation.ts';
import { imageModeration } from './image-moderation/operation.ts';
import { imageOutpaint } from './image-outpaint/operation.ts';
import { mediaConvertImage } from './media-convert-image/operation.ts';
import { batchId, findModel } from './operation/batch.ts';
import type { Operation } from './operation/define-operation.ts';
import { removeBg } from './remove-bg/operation.ts';
import type { WeightCard } from './runtime/weight-card.ts';
import { upscale } from './upscale/operation.ts';

/** The one list of operations. All routes, pages, prices and documents derive from it. */
export const OPERATIONS = {
  'media-convert-image': mediaConvertImage,
  'remove-bg': removeBg,
  'image-moderation': imageModeration,
  'image-outpaint': imageOutpaint,
  upscale,
  'audio-diarize': audioDiarize,
  'audio-separate-stems': audioSeparateStems,
} as const;

export type OperationId = keyof typeof OPERATIONS;

/** Listed operation with its own id. */
export type RegisteredOperation = (typeof OPERATIONS)[OperationId];

export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];

/** Names that can be requested, authorised and priced: each operation, and its batches where it accepts them. */
export type ModelId = OperationId | `${OperationId}-batch`;

export const MODEL_IDS: readonly ModelId[] = Object.values(OPERATIONS).flatMap(({ id, batch }): ModelId[] =>
  batch ? [id, batchId(id)] : [id],
);

export function isModelId(value: string): value is ModelId {
  return findModel(OPERATIONS, value) !== undefined;
}

/** All weight files that the product can use. */
export const WEIGHTS: readonly WeightCard[] = Object.values<Operation>(OPERATIONS).flatMap(
  ({ weights = [] }) => weights,
);
