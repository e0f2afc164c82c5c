import { z } from 'zod';

const SPEAKERS_MAX = 20;
/** Engines, best first. */
const ENGINES = ['auto', 'pyannote-segmentation-3.0', 'silero-speakers'] as const;

export const paramsSchema = z.strictObject({
  speaker_count: z.int().min(1).max(SPEAKERS_MAX).optional().meta({
    description: 'Number of speakers to split the audio into. Estimated when absent.',
  }),
  engine: z.enum(ENGINES).default('auto').meta({
    description: 'Models that distinguish speakers; auto uses the best available ones.',
  }),
});

export type DiarizeParams = z.output<typeof paramsSchema>;
