import { OperationError } from '../../models/errors.ts';
import type { OperationId } from '../../models/registry.ts';
import type { Actor } from './authenticate.ts';

/** @throws OperationError `forbidden` when the actor's key was not made for this operation */
export function authorise(actor: Actor, operationId: OperationId): void {
  if (actor.operations === null || actor.operations.includes(operationId)) return;
  throw new OperationError(
    'forbidden',
    `This API key does not allow ${operationId}. Use a key that does, or make one.`,
  );
}
