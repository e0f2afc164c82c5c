import { z } from 'zod';
import { VIDEO_FORMATS } from '../../core/runtime/video-codec.ts';
import { GRADIENT_CHARACTERS_MAX } from '../../kernels/colour/css-gradient.ts';
import { MATTE_MODELS } from '../../matting/matte-models.ts';
import { OUTPUT_FORMATS } from '../../media/image/output-format.ts';
import { parseBackground } from './background.ts';
import { placementShape } from './placement.ts';

const ENGINES = ['auto', ...MATTE_MODELS.map(({ card }) => card.id)];

export const paramsSchema = z.strictObject({
  output_format: z
    .enum([...OUTPUT_FORMATS, ...VIDEO_FORMATS])
    .optional()
    .meta({
      description:
        'png (default), jpeg or webp for images; mp4 (default) or webm for video. jpeg holds no transparency: it is flattened onto white. Transparent webm is VP9 with alpha; transparent mp4 is H.264 of double height, the colours above and the matte below.',
    }),
  background: z
    .string()
    // Nothing reads a text that is too long.
    .max(GRADIENT_CHARACTERS_MAX, { abort: true })
    .refine(
      (text) => parseBackground(text) !== null,
      'must be transparent, a CSS colour, linear-gradient(...), radial-gradient(...) or the http(s) URL of an image',
    )
    .default('transparent')
    .meta({
      description:
        'transparent, a CSS colour, a CSS linear-gradient(...) or radial-gradient(...), or an image URL (scaled to cover).',
    }),
  subject: z.enum(['all', 'primary']).default('all').meta({
    description: 'Keep every subject, or the largest only.',
  }),
  engine: z.enum(ENGINES).default('auto').meta({
    description: 'Model that finds the subject; auto uses the best one available.',
  }),
  ...placementShape,
});

export type RemoveBgParams = z.output<typeof paramsSchema>;

export const resultSchema = z
  .object({
    status: z.literal('success').meta({ description: 'Always success; an error has another body.' }),
    output_url: z.string().meta({ description: 'URL of the result, until it expires.' }),
    original_size: z.string().meta({ description: '<width>x<height>', example: '1920x1080' }),
    subjects_detected: z.int().min(0).meta({ description: 'Number of separate subjects.' }),
    processing_ms: z.int().min(0).meta({ description: 'Duration of the run, without waiting.' }),
    matte_quality: z.enum(['high', 'medium', 'low']).meta({ description: 'Certainty of the matte.' }),
  })
  .meta({ id: 'BackgroundRemoval' });
