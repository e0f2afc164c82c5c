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

const severitySchema = z.object({
  category: z.enum(CATEGORIES).meta({ description: 'The category.' }),
  severity: z.literal(SEVERITIES).meta({ description: '0 for none, 2 for low, 4 for medium, 6 for high.' }),
});

export const resultSchema = z
  .object({
    flagged: z.boolean().meta({
      description: 'Whether a category has at least the severity of the threshold.',
    }),
    categories: z.array(severitySchema).meta({
      description: 'Analysed categories: 0 Safe, 2 Low, 4 Medium, 6 High. Low does not mean safe.',
    }),
    severity_threshold: z
      .literal(SEVERITIES)
      .meta({ description: 'The severity from which the image counts as flagged.' }),
    ms: z.int().min(0).meta({ description: 'Processing time on the server.' }),
  })
  .meta({ id: 'Moderation' });
