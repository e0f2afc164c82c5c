import { z } from 'zod';
import { STEM_ENGINES } from './engines.ts';

export const paramsSchema = z.strictObject({
  stems: z.enum(['two', 'four']).default('two').meta({
    description: 'two: vocals and no_vocals; four: vocals, drums, bass and other.',
  }),
  output_format: z.enum(['mp3', 'wav']).default('mp3').meta({
    description: 'mp3 at 192 kbps, or 16-bit wav. Both are stereo at 44.1 kHz.',
  }),
  engine: z
    .enum(['auto', ...STEM_ENGINES.map(({ id }) => id)])
    .default('auto')
    .meta({ description: 'Model or method that separates the sound; auto uses the best available one.' }),
});

export type SeparateStemsParams = z.output<typeof paramsSchema>;
