import type { components, operations } from './openapi.ts';
import type { OPERATIONS } from './operations.ts';

export type Job = components['schemas']['Job'];

/** The model_id of an operation. */
export type OperationId = keyof typeof OPERATIONS;

type InputField = 'image_url' | 'image_b64' | 'video_url' | 'audio_url' | 'media_url';

/** Params of an operation: the fields of its request without the input. */
export type ParamsOf<Id extends OperationId> = Omit<
  operations[Id]['requestBody']['content']['application/json'],
  InputField
>;
