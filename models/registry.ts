import { batchId, findModel } from './core/operation/batch.ts';
import type { Operation } from './core/operation/define-operation.ts';
import { getKeys } from './core/records.ts';
import type { WeightCard } from './core/runtime/weight-card.ts';
import { mediaConvertImage } from './operations/convert/operation.ts';
import { audioDiarize } from './operations/diarize/operation.ts';
import { imageOutpaint } from './operations/extend/operation.ts';
import { imageModeration } from './operations/moderate/operation.ts';
import { removeBg } from './operations/remove-bg/operation.ts';
import { audioSeparateStems } from './operations/stems/operation.ts';
import { upscale } from './operations/upscale/operation.ts';
import { definePipeline } from './pipeline/define-pipeline.ts';

/** Operations that do one thing: each has a tool in the studio, and may be a step of a pipeline. */
export const SINGLE_OPERATIONS = {
  'media-convert-image': mediaConvertImage,
  'remove-bg': removeBg,
  'image-moderation': imageModeration,
  'image-outpaint': imageOutpaint,
  upscale,
  'audio-diarize': audioDiarize,
  'audio-separate-stems': audioSeparateStems,
} as const;

/** The one list of operations. All routes, pages, prices and documents derive from it. */
export const OPERATIONS = { ...SINGLE_OPERATIONS, pipeline: definePipeline(SINGLE_OPERATIONS) } as const;

export type OperationId = keyof typeof SINGLE_OPERATIONS;

/** Id of anything that runs on a file: an operation, or several as the steps of a pipeline. */
export type RunnableId = keyof typeof OPERATIONS;

/** Listed operation with its own id. */
export type RegisteredOperation = (typeof OPERATIONS)[OperationId];

export const OPERATION_IDS = getKeys(SINGLE_OPERATIONS);

/** Names that can be requested, authorised and priced: each operation, and its batches where it accepts them. */
export type ModelId = RunnableId | `${RunnableId}-batch`;

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
