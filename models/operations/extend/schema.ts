import { z } from 'zod';
import { OperationError } from '../../core/operation/errors.ts';
import { getKeys } from '../../core/records.ts';
import type { ImageSize } from '../../core/runtime/raster.ts';
import { assertFitsFormat } from '../../media/image/output-format.ts';
import { acceptsPrompt, OUTPAINT_ENGINES } from './engines.ts';
import { ASPECT_RATIOS, DEFAULT_ZOOM } from './geometry.ts';

const OUTPAINT_FORMATS = ['png', 'jpeg', 'jpg', 'webp'] as const;

type OutpaintFormat = (typeof OUTPAINT_FORMATS)[number];

/** Most pixels of a result. */
const PIXELS_MAX = 150_000_000;
const MARGIN_MAX = 700;

const TEXT_ENGINES = OUTPAINT_ENGINES.filter(({ id }) => acceptsPrompt(id))
  .map(({ id }) => id)
  .join(' and ');

const SEED_MAX = 2 ** 32 - 1;
export const IMAGES_MAX = 8;

function margin(side: string) {
  return z
    .int()
    .min(0)
    .max(MARGIN_MAX)
    .default(0)
    .meta({ description: `Pixels added ${side}.` });
}

export const paramsSchema = z.strictObject({
  expand_left: margin('on the left'),
  expand_right: margin('on the right'),
  expand_top: margin('above'),
  expand_bottom: margin('below'),
  aspect_ratio: z.enum(getKeys(ASPECT_RATIOS)).optional().meta({
    description:
      'Shape of the result, width to height: as much is added on two sides as it needs. Not together with a margin.',
  }),
  zoom_out_percentage: z
    .number()
    .min(0)
    .optional()
    .meta({
      description: `Scales the image to this percentage of its size, in the middle of a canvas of its original size; then the margins are added. 50 means half. 0 and values from 100 up mean no zoom. Defaults to ${DEFAULT_ZOOM}, or to no zoom when a margin or a shape is given.`,
    }),
  prompt: z
    .string()
    .max(2000)
    .default('')
    .meta({
      description: `Text about the added area. Only ${TEXT_ENGINES} read it, when named: the result says in its warnings when it was not applied.`,
    }),
  seed: z.int().min(0).max(SEED_MAX).optional().meta({
    description:
      'Number that makes results reproducible: the same image, params and engine give the same bytes. Random when absent; file names contain it.',
  }),
  num_images: z
    .int()
    .min(1)
    .max(IMAGES_MAX)
    .default(1)
    .meta({ description: 'Number of results. They have the seeds seed, seed + 1, and so on.' }),
  enable_safety_checker: z
    .boolean()
    .default(true)
    .meta({ description: 'Fails the job when a result has sexual content of medium or high severity.' }),
  sync_mode: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether the response waits for the end of the job.' }),
  output_format: z.enum(OUTPAINT_FORMATS).default('png').meta({
    description: 'jpeg and jpg are the same. They hold no transparency: it is flattened onto white.',
  }),
  engine: z
    .enum(['auto', ...OUTPAINT_ENGINES.map(({ id }) => id)])
    .default('auto')
    .meta({
      description:
        'Model or method that extends; auto uses the best available one of those that need no text.',
    }),
});

export type OutpaintParams = z.output<typeof paramsSchema>;

/** @throws OperationError `bad_request` when a result is too large, or too large for its format */
export function assertResultSize({ width, height }: ImageSize, format: OutpaintFormat): void {
  if (width * height > PIXELS_MAX) {
    throw new OperationError(
      'bad_request',
      `expand_left, expand_right, expand_top, expand_bottom: the result has ${width} x ${height} pixels. At most ${PIXELS_MAX / 1_000_000} megapixels are allowed.`,
    );
  }
  assertFitsFormat({ width, height }, format);
}

/**
 * Returns one seed for each result. They wrap around at the largest one.
 * @param usual first seed of a request that names none
 */
export function resultSeeds(
  { seed, num_images }: Pick<OutpaintParams, 'seed' | 'num_images'>,
  usual: number,
): readonly number[] {
  return Array.from({ length: num_images }, (_, at) => ((seed ?? usual) + at) % 2 ** 32);
}

export const jobMembers = z.object({
  fill_quality: z.number().min(0).max(1).nullable().optional().meta({
    description:
      'Extended images only: how well the simple fill is expected to continue the image, estimated from its borders before the run. Null before the end, and where a model painted.',
  }),
});
