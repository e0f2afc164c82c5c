import { z } from 'zod';

export const acceptanceSchema = z.object({
  measure: z.string().meta({ description: 'Kind of the figure.', example: 'IoU' }),
  figure: z.number(),
  floor: z.number().meta({ description: 'Figure that an engine must reach.' }),
  lower_is_better: z.boolean().optional(),
  passed: z.boolean(),
  seconds: z.number().meta({ description: 'Time of a run for each megapixel or second.' }),
  per: z.enum(['megapixel', 'second']),
  memory_bytes: z.int(),
  measured_at: z.iso.datetime({ precision: 3 }),
});

export const engineSchema = z
  .object({
    model_id: z.string().meta({ description: 'The operation.', example: 'remove-bg' }),
    id: z.string().meta({ description: 'Name of the engine in requests and results.', example: 'matte' }),
    licence: z.string().meta({ description: 'Licences of its weights.', example: 'MIT' }),
    commercial: z
      .enum(['yes', 'unclear', 'no'])
      .meta({ description: 'Whether its licences allow use in a paid service.' }),
    bytes: z
      .int()
      .nullable()
      .meta({ description: 'Size of all weights; 0 for none, null where it is unknown.' }),
    available: z.boolean().meta({ description: 'Whether a request may use it here.' }),
    reason: z.string().nullable().meta({ description: 'Reason why it is not available; null where it is.' }),
    acceptance: acceptanceSchema
      .nullable()
      .meta({ description: 'Quality on a sample, as measured here; null until it was measured.' }),
  })
  .meta({ id: 'Engine' });

export const engineListSchema = z
  .object({
    engines: z.array(engineSchema).meta({ description: 'By operation, best first.' }),
    categories: z
      .array(z.object({ category: z.string(), available: z.boolean() }))
      .meta({ description: 'Categories of moderation, and whether an engine here can judge them.' }),
  })
  .meta({ id: 'EngineList' });
