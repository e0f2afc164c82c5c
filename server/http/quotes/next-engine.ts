import type { Operation } from '../../../models/operation/define-operation.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import { type Context, getOperations } from '../../context.ts';
import { findEngineAvailability } from '../../runtime/inference/engine-availability.ts';
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
  for (const engine of engines) {
    if (!engine.isOptIn && (await findEngineAvailability(ctx, engine)).isAvailable) return engine.id;
  }
  throw new OperationError('unavailable', 'No engine is available now. Try again later.');
}
