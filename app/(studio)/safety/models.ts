import { IMAGE_MODERATION_WEIGHTS } from '../../../models/weights/image-moderation.ts';
import type { BatchItem, RunLocation } from '../batch/batch.ts';
import type { Field, ParamValues } from '../frame/fields.ts';

const CLIP = IMAGE_MODERATION_WEIGHTS['clip-vit-b32-vision-uint8'];

/** Size of CLIP's image encoder. That of its text encoder is unknown before its download. */
export const CLIP_BYTES: number = CLIP.bytes;

/** Values of the page that choose the model of all categories. */
export const WIDE: ParamValues = { model: 'wide' };

/** Field without a control: buttons change it. */
export const MODEL_FIELD: Field = {
  kind: 'choice',
  name: 'model',
  values: ['bundled', 'wide'],
  initial: 'bundled',
};

export function isWide({ model }: ParamValues): boolean {
  return model === 'wide';
}

export function withBundledModel(values: ParamValues): ParamValues {
  return { ...values, model: 'bundled' };
}

/** Returns the params of a run: the server judges all categories, a device those that its model can. */
export function paramsFor(values: ParamValues, where: RunLocation): object {
  if (where === 'server') return {};
  return isWide(values) ? { engine: CLIP.id } : { categories: ['Sexual'] };
}

/** Display names of the models, by the ids of their weights. */
const NAMES: Readonly<Record<string, string>> = {
  'nsfw-mobilenet': 'NSFWJS MobileNet',
  'nsfw-vit-int8': 'NSFW ViT',
  [CLIP.id]: 'CLIP',
};

/** Lists a run's models in words. */
export function modelFacts({ state }: BatchItem): readonly string[] {
  if (state.phase !== 'done' || !state.result.engine) return [];
  return state.result.engine.split(', ').map((engine) => {
    const [id = ''] = engine.split(' on ');
    return NAMES[id] ?? id;
  });
}
