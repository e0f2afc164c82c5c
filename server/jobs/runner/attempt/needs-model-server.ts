import { listOwnEngines } from '../../../../models/core/device/fit.ts';
import type { Operation } from '../../../../models/core/operation/define-operation.ts';
import type { Context } from '../../../base/context/context.ts';
import { findEngineAvailability } from '../../../runtime/inference/engine-availability.ts';

/**
 * Reports whether a run has no engine without a model server: every engine that its params allow is missing on this
 * machine, and one of them is served elsewhere.
 */
export async function needsModelServer(
  ctx: Pick<Context, 'env'>,
  operation: Operation,
  params: object,
): Promise<boolean> {
  if (ctx.env.INFERENCE_ENDPOINTS.size === 0) return false;
  const needs = operation.engineNeeds(params);
  const chosenByAuto = listOwnEngines(operation).flatMap(({ id, isOptIn }) => (isOptIn ? [] : [id]));
  const choices = needs.length === 0 ? [chosenByAuto] : needs.map(({ engines }) => engines);
  const found = await Promise.all(choices.map((ids) => isServedOnly(ctx, operation, ids)));
  return found.includes(true);
}

/** Reports whether model servers have an engine of these, and this machine has none. */
async function isServedOnly(
  ctx: Pick<Context, 'env'>,
  operation: Operation,
  ids: readonly string[],
): Promise<boolean> {
  const engines = listOwnEngines(operation).filter(({ id }) => ids.includes(id));
  const hasOne = async (endpoints = ctx.env.INFERENCE_ENDPOINTS): Promise<boolean> => {
    const found = await Promise.all(engines.map((engine) => findEngineAvailability(ctx, engine, endpoints)));
    return found.some(({ isAvailable }) => isAvailable);
  };
  return !(await hasOne(new Map())) && (await hasOne());
}
