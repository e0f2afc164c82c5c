import { readEngineNames } from '../../../models/core/runtime/engine-name.ts';
import { CATEGORIES, type Category } from '../../../models/moderation/categories.ts';
import { IMAGE_MODERATION_WEIGHTS } from '../../../models/moderation/weights.ts';
import { MODERATION_ENGINES } from '../../../models/operations/moderate/engines.ts';
import type { BatchItem, DoneState, RunLocation } from '../runs/batch.ts';
import type { Field, ParamValues } from '../tools/fields.ts';
import { getSeverities } from './verdict.ts';

/** CLIP's image encoder. The size of its text encoder is unknown before its download. */
export const CLIP = IMAGE_MODERATION_WEIGHTS['clip-vit-b32-vision-uint8'];

/** Field without a control: buttons change it. */
export const MODEL_FIELD: Field = {
  kind: 'choice',
  name: 'model',
  values: ['bundled', 'wide'],
  initial: 'bundled',
};

export function usesFullModel({ model }: ParamValues): boolean {
  return model === 'wide';
}

/** Returns the categories that a run judges: the server all, a device those that its model can. */
export function categoriesFor(values: ParamValues, where: RunLocation): readonly Category[] {
  return where === 'server' || usesFullModel(values) ? CATEGORIES : ['Sexual'];
}

/** Returns the params of a run. */
export function paramsFor(values: ParamValues, where: RunLocation): object {
  if (where === 'server') return {};
  return usesFullModel(values) ? { engine: CLIP.id } : { categories: categoriesFor(values, where) };
}

/** Reports whether a verdict leaves out categories, which the server judges. */
export function isPartial(state: DoneState): boolean {
  return (getSeverities({ state })?.size ?? 0) < CATEGORIES.length;
}

/** Lists a run's models in words. */
export function describeModels(item: Pick<BatchItem, 'state'>): readonly string[] {
  return modelIds(item).map((id) => MODERATION_ENGINES.find((each) => each.id === id)?.name ?? id);
}

/** Reports whether CLIP made a verdict on this device. */
export function ranClip(item: Pick<BatchItem, 'state'>): boolean {
  const isFromServer = item.state.phase === 'done' && item.state.result.server !== undefined;
  return !isFromServer && modelIds(item).includes(CLIP.id);
}

/** Reads the ids of `bundled on wasm, clip on webgpu`. */
function modelIds({ state }: Pick<BatchItem, 'state'>): readonly string[] {
  if (state.phase !== 'done' || !state.result.engine) return [];
  return readEngineNames(state.result.engine).map(({ id }) => id);
}
