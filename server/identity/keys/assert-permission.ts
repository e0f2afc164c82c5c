import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Actor } from './authenticate-key.ts';

/**
 * Checks a permission.
 * @throws OperationError `forbidden` when the actor's key lacks this operation
 */
export function assertPermission(actor: Actor, modelId: string): void {
  const allowed: readonly string[] | null = actor.operations;
  if (allowed === null || allowed.includes(modelId)) return;
  throw new OperationError(
    'forbidden',
    `This API key does not allow ${modelId}. Use another key, or create one.`,
  );
}
