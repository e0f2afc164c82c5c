import { z } from 'zod';

export const SPEAKERS_MAX = 20;

export const paramsSchema = z.strictObject({
  speaker_count: z.int().min(1).max(SPEAKERS_MAX).optional().meta({
    description: 'Number of speakers to split the audio into. Estimated when absent.',
  }),
});

export type DiarizeParams = z.output<typeof paramsSchema>;
