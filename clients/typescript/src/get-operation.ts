import { InvalidArgumentError } from './errors.ts';
import { OPERATIONS } from './operations.ts';
import type { OperationId } from './types.ts';

/** Returns what the client knows of an operation. @throws InvalidArgumentError for an unknown model */
export function getOperation<Id extends OperationId>(id: Id): (typeof OPERATIONS)[Id] {
  if (Object.hasOwn(OPERATIONS, id)) return OPERATIONS[id];
  const known = Object.keys(OPERATIONS).join(', ');
  throw new InvalidArgumentError(`model_id: "${id}" must be one of ${known}.`);
}
