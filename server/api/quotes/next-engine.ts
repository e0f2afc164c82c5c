import type { OperationEngine } from '../../../models/core/device/fit.ts';
import { rankEngines } from '../../../models/core/inference/rank-engines.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Context, getOperations } from '../../base/context/context.ts';
import { AcceptanceStore } from '../../runtime/acceptance/index.ts';
import { findEngineAvailability } from '../../runtime/inference/engine-availability.ts';
import { jsonResponse } from '../transport/problem.ts';

/**
 * Handles GET /engines/<operation id>: the engine that `auto` would use on this server now, so that a page can say so
 * before anything is sent.
 */
export async function getNextEngine(ctx: Context, operationId: string): Promise<Response> {
  const operations: Readonly<Record<string, Operation | undefined>> = getOperations(ctx);
  const operation = Object.hasOwn(operations, operationId) ? operations[operationId] : undefined;
  if (!operation?.engines)
    throw new OperationError('not_found', 'No operation with several engines has this id.');
  return jsonResponse(200, { engine: await findAvailableEngine(ctx, operation) });
}

/**
 * Returns the best engine that this server can use now, by what it has measured.
 * @param serves whether an engine can do what the request asks
 * @throws OperationError `unavailable`
 */
export async function findAvailableEngine(
  ctx: Context,
  operation: Operation,
  serves: (engine: OperationEngine) => boolean = () => true,
): Promise<string> {
  const store = new AcceptanceStore(ctx.env);
  const known = (operation.engines ?? []).filter(serves).map(async (engine) => {
    if (engine.isOptIn || !(await findEngineAvailability(ctx, engine)).isAvailable) return [];
    const standing = engine.card === null ? null : await store.findStanding(operation, engine);
    return [{ engine, standing }];
  });
  const [best] = rankEngines((await Promise.all(known)).flat());
  if (!best) throw new OperationError('unavailable', 'No engine is available now. Try again later.');
  return best.id;
}
