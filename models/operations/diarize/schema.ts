import { z } from 'zod';
import { DIARIZE_ENGINES } from './engines.ts';

const SPEAKERS_MAX = 20;

export const paramsSchema = z.strictObject({
  speaker_count: z.int().min(1).max(SPEAKERS_MAX).optional().meta({
    description: 'Number of speakers to split the audio into. Estimated when absent.',
  }),
  engine: z
    .enum(['auto', ...DIARIZE_ENGINES])
    .default('auto')
    .meta({
      description: 'Models that distinguish speakers; auto uses the best available ones.',
    }),
});

export type DiarizeParams = z.output<typeof paramsSchema>;
