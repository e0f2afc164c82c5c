import { z } from 'zod';
import { VIDEO_FORMATS } from '../../core/runtime/video-codec.ts';
import { OUTPUT_FORMATS } from '../../media/image/output-format.ts';
import { SCALES } from './plan-passes.ts';
import { BEST_UPSCALER, UPSCALER_IDS } from './upscalers.ts';

/** Widest result of any format, in pixels. */
const WIDTH_MAX = 65_535;

export const paramsSchema = z.strictObject({
  model: z
    .string()
    .max(100, { abort: true })
    .refine((id) => UPSCALER_IDS.includes(id), {
      error: ({ input }) => `Model '${input}' not found or disabled`,
      params: { code: 'model_not_found' },
    })
    .default(BEST_UPSCALER)
    .meta({
      enum: [...UPSCALER_IDS],
      description: `Model that enlarges; ${BEST_UPSCALER} uses the best available one.`,
    }),
  scale: z.literal(SCALES).default(2).meta({ description: 'Factor for width and height.' }),
  output_format: z
    .enum([...OUTPUT_FORMATS, ...VIDEO_FORMATS])
    .optional()
    .meta({
      description:
        'png (default), jpeg or webp for images; mp4 (default) or webm for video. jpeg holds no transparency: it is flattened onto white.',
    }),
  width: z.int().min(1).max(WIDTH_MAX).optional().meta({
    description: 'Largest width of an enlarged image in pixels: a wider one is reduced to it, in its shape.',
  }),
  dpi: z
    .int()
    .min(1)
    .max(1200)
    .optional()
    .meta({ description: 'Print resolution of an enlarged image, in pixels per inch.' }),
});

export type UpscaleParams = z.output<typeof paramsSchema>;

export const resultSchema = z
  .object({
    status: z.literal('success').meta({ description: 'Always success; an error has another body.' }),
    output_url: z.string().meta({ description: 'URL of the result, until it expires.' }),
    input_size: z.string().meta({ description: '<width>x<height>', example: '960x540' }),
    output_size: z.string().meta({ description: '<width>x<height>', example: '1920x1080' }),
    scale: z.literal(SCALES).meta({ description: 'Factor for width and height.' }),
    credits_used: z.number().min(0).meta({ description: 'Price in credits of 0.001 USD.' }),
  })
  .meta({ id: 'Upscale' });
