import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { isDirectOnly } from '../../../models/core/operation/direct-response.ts';
import type { Context } from '../../base/context.ts';
import type { Actor } from '../../identity/keys/index.ts';

/** Request for a job, whose sender is known. */
export interface BillableCall {
  readonly ctx: Context;
  readonly request: Request;
  readonly actor: Actor;
  /** Operation as it is for the actor and, once that is parsed, for the place of the run. */
  readonly operation: Operation;
  /** Id of the operation, or of its batches. */
  readonly modelId: string;
}

/** Reports whether the response to a call is the result alone, of a single request of an operation without files. */
export function isDirectCall({ operation, modelId }: Pick<BillableCall, 'operation' | 'modelId'>): boolean {
  return modelId === operation.id && isDirectOnly(operation);
}
