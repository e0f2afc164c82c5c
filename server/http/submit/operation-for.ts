import type { Operation } from '../../../models/operation/define-operation.ts';
import { createTestOperation } from '../../../models/test-mode/create-test-operation.ts';
import type { Actor } from '../../keys/index.ts';

/** Returns an operation as an actor sees it: one in a sandbox pays nothing, and needs no engine. */
export function operationFor({ isTest }: Pick<Actor, 'isTest'>, operation: Operation): Operation {
  return isTest ? createTestOperation(operation) : operation;
}
