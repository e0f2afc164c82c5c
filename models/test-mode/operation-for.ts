import type { Operation } from '../core/operation/define-operation.ts';
import { createTestOperation } from './create-test-operation.ts';

/** Returns an operation as an actor or a job sees it: in a sandbox it costs nothing, and needs no engine. */
export function operationFor({ isTest }: { readonly isTest: boolean }, operation: Operation): Operation {
  return isTest ? createTestOperation(operation) : operation;
}
