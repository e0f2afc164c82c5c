import type { Operation } from '../../../models/operation/define-operation.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import { type Context, getOperations } from '../../context.ts';
import { findAvailability } from '../../runtime/inference/availability.ts';
import { openWeightStore } from '../../runtime/weight-store/index.ts';
import { jsonResponse } from '../transport/problem.ts';

/**
 * Handles GET /engines/<operation id>: the engine that `auto` would use on this server now, so that a page can say so
 * before anything is sent.
 */
export async function getNextEngine(ctx: Context, operationId: string): Promise<Response> {
  const operations: Readonly<Record<string, Operation | undefined>> = getOperations(ctx);
  const { engines } = (Object.hasOwn(operations, operationId) && operations[operationId]) || {};
  if (!engines) throw new OperationError('not_found', 'No operation with several engines has this id.');
  return jsonResponse(200, { engine: await findAvailableEngine(ctx, engines) });
}

/**
 * Returns the best engine that this server can use now.
 * @throws OperationError `unavailable`
 */
export async function findAvailableEngine(
  ctx: Context,
  engines: NonNullable<Operation['engines']>,
): Promise<string> {
  const { INFERENCE_ENDPOINTS: endpoints, INFERENCE_MEMORY_MB } = ctx.env;
  const sources = {
    weights: openWeightStore(ctx.env),
    endpoints,
    memoryBytesMax: INFERENCE_MEMORY_MB * 1_000_000,
  };
  for (const { id, card, isOptIn } of engines) {
    if (isOptIn) continue;
    if (card === null || (await findAvailability(card, sources)) !== 'unavailable') {
      return id;
    }
  }
  throw new OperationError('unavailable', 'No engine is available now. Try again later.');
}
