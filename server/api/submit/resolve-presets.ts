import { fieldError } from '../../../models/core/operation/errors.ts';
import { findPreset } from '../../jobs/index.ts';
import type { BillableCall } from './billable-call.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Puts the steps of saved recipes in the place of their names: of a request, and of the items of a batch. What names no
 * preset stays, for the check of that request or item to refuse.
 * @throws OperationError `bad_request` when the request itself names an unknown one
 */
export async function resolvePresets(
  { ctx, actor, operation }: Pick<BillableCall, 'ctx' | 'actor' | 'operation'>,
  body: object,
): Promise<object> {
  if (!operation.isComposite) return body;
  const known = new Map<string, ReturnType<typeof findPreset>>();
  const resolve = async (asked: Body): Promise<Body> => {
    const { preset, ...rest } = asked;
    if (typeof preset !== 'string' || asked.steps !== undefined) return asked;
    const finding = known.get(preset) ?? findPreset(ctx.db, actor.accountId, preset);
    known.set(preset, finding);
    const found = await finding;
    return found ? { outputs: found.outputs, ...rest, steps: found.steps } : asked;
  };
  const resolved = await resolve(body as Body);
  if ('preset' in resolved && typeof resolved.preset === 'string' && resolved.steps === undefined) {
    throw fieldError('preset', `there is no preset "${resolved.preset}" or no such version of it.`);
  }
  const { items } = resolved;
  if (!Array.isArray(items)) return resolved;
  const isBody = (item: unknown): item is Body => typeof item === 'object' && item !== null;
  // Steps, outputs and overrides of the shared recipe are none of a recipe that an item has in its place.
  const ownRecipe = (item: Body): Body =>
    'steps' in resolved && (item.steps !== undefined || item.preset !== undefined)
      ? { steps: undefined, outputs: undefined, overrides: undefined, ...item }
      : item;
  return {
    ...resolved,
    items: await Promise.all(
      items.map(async (item) => (isBody(item) ? ownRecipe(await resolve(item)) : item)),
    ),
  };
}
