import { OperationError } from '../../models/errors.ts';
import type { Operation } from '../../models/operation.ts';
import { type Context, operationsOf } from '../context.ts';
import { availabilityOf } from '../runtime/inference/availability.ts';
import { openWeightStore } from '../runtime/weight-store/index.ts';
import { jsonResponse } from './problem.ts';

/**
 * Handles GET /engines/<operation id>: the engine that `auto` would use on this server now, so that a page can say so
 * before anything is sent.
 */
export async function nextEngine(ctx: Context, operationId: string): Promise<Response> {
  const operations: Readonly<Record<string, Operation | undefined>> = operationsOf(ctx);
  const { engines } = (Object.hasOwn(operations, operationId) && operations[operationId]) || {};
  if (!engines) throw new OperationError('not_found', 'No operation with several engines has this id.');
  return jsonResponse(200, { engine: await availableEngine(ctx, engines) });
}

/**
 * Returns the best engine that this server can use now.
 * @throws OperationError `unavailable`
 */
export async function availableEngine(
  ctx: Context,
  engines: NonNullable<Operation['engines']>,
): Promise<string> {
  const { INFERENCE_ENDPOINTS: endpoints, INFERENCE_MEMORY_MB } = ctx.env;
  const sources = {
    weights: openWeightStore(ctx.env),
    endpoints,
    memoryBytesMax: INFERENCE_MEMORY_MB * 1_000_000,
  };
  for (const { id, card, isByName } of engines) {
    if (isByName) continue;
    if (card === null || (await availabilityOf(card, sources)) !== 'unavailable') {
      return id;
    }
  }
  throw new OperationError('unavailable', 'No engine is available now. Try again later.');
}
