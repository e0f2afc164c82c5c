import { z } from 'zod';
import { clampedParam, listParam } from '../../core/operation/params.ts';
import { CATEGORIES, SEVERITIES } from '../../moderation/categories.ts';
import { MODERATION_ENGINES } from './engines.ts';

export const paramsSchema = z.strictObject({
  categories: listParam(CATEGORIES, CATEGORIES).meta({
    description:
      'Categories to analyse. 503 when no available engine judges one of them: GET /v2/engines lists those that can be judged.',
  }),
  severity_threshold: clampedParam(SEVERITIES, 2).meta({
    description:
      'Least severity that flags the image: 2 counts Low and above, 4 Medium and High, 6 High only. Values outside 0 to 6 are clamped.',
  }),
  engine: z
    .enum(['auto', ...MODERATION_ENGINES.map(({ id }) => id)])
    .default('auto')
    .meta({
      description:
        'Model that judges; auto uses the best available ones. A model for Sexual judges no other category.',
    }),
});

export type ModerationParams = z.output<typeof paramsSchema>;

export const resultSchema = z
  .object({
    flagged: z.boolean().meta({
      description: 'Whether a category has at least the severity of the threshold.',
    }),
    categories: z.array(z.object({ category: z.enum(CATEGORIES), severity: z.literal(SEVERITIES) })).meta({
      description: 'Analysed categories: 0 Safe, 2 Low, 4 Medium, 6 High. Low does not mean safe.',
    }),
    severity_threshold: z.literal(SEVERITIES),
    ms: z.int().min(0).meta({ description: 'Processing time on the server.' }),
  })
  .meta({ id: 'Moderation' });
