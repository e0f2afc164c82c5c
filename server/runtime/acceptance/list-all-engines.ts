import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { listOwnEngines, type OperationEngine } from '../../../models/core/runtime/fit.ts';
import { OPERATIONS } from '../../../models/registry.ts';

/** Engine of an operation. */
export interface OwnEngine {
  readonly operation: Operation;
  readonly engine: OperationEngine;
}

/** Lists the engines of all operations. */
export function listAllEngines(): OwnEngine[] {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  return operations.flatMap((operation) =>
    listOwnEngines(operation).map((engine) => ({ operation, engine })),
  );
}
