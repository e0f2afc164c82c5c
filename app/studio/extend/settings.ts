import {
  acceptsPrompt,
  OUTPAINT_ENGINES,
  PATCHES_ENGINE,
} from '../../../models/operations/extend/engines.ts';
import { ASPECT_RATIOS } from '../../../models/operations/extend/geometry.ts';
import type { OutpaintParams } from '../../../models/operations/extend/schema.ts';
import type { BatchItem } from '../runs/batch.ts';
import type { Field, ParamValues } from '../tools/fields.ts';
import type { Wording } from '../tools/wording.ts';
import { imageFormatWords } from '../tools/wording.ts';
import { FREE, frameParams, MARGIN_MAX } from './margins.ts';

/** Pixels that the page adds on each side before anything is chosen. */
export const INITIAL_MARGIN = 100;

const margin = (name: string): Field => ({
  kind: 'range',
  name,
  min: 0,
  max: MARGIN_MAX,
  step: 1,
  initial: INITIAL_MARGIN,
});

/** Zoom in percent: 100 keeps the size of the image. */
export const ZOOM_FIELD: Field = {
  kind: 'range',
  name: 'zoom_out_percentage',
  min: 10,
  max: 100,
  step: 1,
  initial: 100,
};

export const VARIANTS_FIELD: Field = {
  kind: 'range',
  name: 'num_images',
  min: 1,
  max: 8,
  step: 1,
  initial: 1,
};

/** Fields whose controls or initial values differ from the operation's own. */
export const OWN_FIELDS: readonly Field[] = [
  ...['expand_left', 'expand_top', 'expand_right', 'expand_bottom'].map(margin),
  { kind: 'choice', name: 'shape', values: [FREE, ...Object.keys(ASPECT_RATIOS)], initial: FREE },
  ZOOM_FIELD,
];

/** Formats, of which `jpg` is the same as `jpeg`. */
export const FORMATS = imageFormatWords(['png', 'jpeg', 'webp']);

export const EXTEND_WORDING: Wording = {
  lead: 'Drag an edge outwards.',
  verb: 'Extend',
  savesOne: true,
  // The page has its own fields, which know the size of the image.
  fields: {},
};

/** Reports whether seeds and variants are worth a choice: of the simple fill, which may be the best, they hardly differ. */
export function hasVariants({ engine }: ParamValues): boolean {
  return engine !== 'auto' && engine !== PATCHES_ENGINE;
}

/** Returns the params of a run. Without a seed the operation chooses one. */
export function paramsFor(_file: File, values: ParamValues): Partial<OutpaintParams> {
  return {
    ...frameParams(values),
    ...(hasVariants(values) && typeof values.seed === 'number' && { seed: values.seed }),
    num_images: hasVariants(values) ? Number(values.num_images) : 1,
    output_format: values.output_format as OutpaintParams['output_format'],
    ...(acceptsPrompt(String(values.engine)) && { prompt: String(values.prompt ?? '') }),
    engine: String(values.engine),
  };
}

/** Returns the seeds of a result, in the order of its files. */
export function getSeeds({ state }: Pick<BatchItem, 'state'>): readonly number[] {
  const seeds = state.phase === 'done' ? state.result.details?.seeds : undefined;
  if (Array.isArray(seeds)) return seeds;
  // A job on the server reports them only by the names of its files.
  const files = state.phase === 'done' ? state.result.files : [];
  return files.flatMap(({ name }) => /extended-(\d+)\./.exec(name)?.slice(1).map(Number) ?? []);
}

export const SIMPLE_FILL = 'simple fill';

/** Names the model of a result. */
export function describeEngine({ state }: BatchItem): string | undefined {
  const id = state.phase === 'done' ? state.result.engine?.split(/ on |, /)[0] : undefined;
  return id === PATCHES_ENGINE ? SIMPLE_FILL : OUTPAINT_ENGINES.find((each) => each.id === id)?.name;
}
