import { OperationError } from '../../models/errors.ts';
import type { ModelId } from '../../models/registry.ts';
import type { Actor } from './authenticate.ts';

/** @throws OperationError `forbidden` when the actor's key was not made for this operation or its batches */
export function authorise(actor: Actor, modelId: ModelId): void {
  if (actor.operations === null || actor.operations.includes(modelId)) return;
  throw new OperationError(
    'forbidden',
    `This API key does not allow ${modelId}. Use a key that does, or make one.`,
  );
}
