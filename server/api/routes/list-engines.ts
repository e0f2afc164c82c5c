import { z } from 'zod';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import {
  describeLicences,
  listFiles,
  listOwnEngines,
  type OperationEngine,
} from '../../../models/core/runtime/fit.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { AcceptanceStore, type StoredAcceptance } from '../../runtime/acceptance/index.ts';
import { findEngineAvailability } from '../../runtime/inference/engine-availability.ts';
import { describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { listCategories } from '../submit/assert-engines.ts';
import { jsonResponse } from '../transport/problem.ts';

const acceptanceSchema = z.object({
  measure: z.string().meta({ description: 'Kind of the figure.', example: 'IoU' }),
  figure: z.number().meta({ description: 'The figure, as measured.' }),
  floor: z.number().meta({ description: 'Figure that an engine must reach.' }),
  lower_is_better: z.boolean().optional().meta({ description: 'Whether the figure counts errors.' }),
  passed: z.boolean().meta({ description: 'Whether the figure reaches the floor.' }),
  seconds: z.number().meta({ description: 'Time of a run for each megapixel or second.' }),
  per: z.enum(['megapixel', 'second']).meta({ description: 'Unit of the input that the time is for.' }),
  memory_bytes: z.int().meta({ description: 'Most memory of the run.' }),
  measured_at: z.iso.datetime({ precision: 3 }).meta({ description: 'Time of the measurement.' }),
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
      .array(
        z.object({
          category: z.string().meta({ description: 'The category.' }),
          available: z.boolean().meta({ description: 'Whether an engine here can judge it.' }),
        }),
      )
      .meta({ description: 'Categories of moderation, and whether an engine here can judge them.' }),
  })
  .meta({ id: 'EngineList' });

type EngineView = z.output<typeof engineSchema>;

/** The engines and categories of this installation. */
export const listEngines = defineRoute({
  method: 'GET',
  path: '/v2/engines',
  bucket: 'engine-list',
  docs: {
    operationId: 'listEngines',
    tag: 'service',
    summary: 'Engines and categories of this installation',
    description:
      'Each engine that a request may name, and each category of moderation, with whether this installation has it.',
    responses: {
      '200': describeResponse('The engines.', engineListSchema),
      ...describeProblems(['too_many_requests']),
    },
  },
  async handle({ ctx }) {
    return jsonResponse(200, await describeInstallation(ctx));
  },
});

/** Describes the engines of every operation, and the categories that this installation can judge. */
export async function describeInstallation(ctx: Context): Promise<z.output<typeof engineListSchema>> {
  const operations = Object.values(getOperations(ctx));
  const [engines, categories] = await Promise.all([
    Promise.all(operations.map((operation) => describeEngines(ctx, operation))),
    Promise.all(operations.map((operation) => listCategories(ctx, operation))),
  ]);
  return { engines: engines.flat(), categories: categories.flat() };
}

async function describeEngines(ctx: Context, operation: Operation): Promise<EngineView[]> {
  const store = new AcceptanceStore(ctx.env);
  return await Promise.all(
    listOwnEngines(operation).map(async (engine) => {
      const [found, measured] = await Promise.all([
        findEngineAvailability(ctx, engine),
        store.read(operation.id, engine),
      ]);
      return {
        model_id: operation.id,
        id: engine.id,
        ...describeFiles(engine),
        available: found.isAvailable,
        reason: found.isAvailable ? null : found.reason,
        acceptance: measured && describeAcceptance(measured),
      };
    }),
  );
}

/** Sums up the files of an engine: its licences, the least that they allow, and their bytes. */
function describeFiles(engine: OperationEngine): Pick<EngineView, 'licence' | 'commercial' | 'bytes'> {
  const files = listFiles(engine);
  const doubts = files.map(({ licence }) => licence.commercial);
  return {
    licence: describeLicences(engine),
    commercial: (['no', 'unclear'] as const).find((doubt) => doubts.includes(doubt)) ?? 'yes',
    bytes: files.reduce<number | null>(
      (sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes),
      0,
    ),
  };
}

function describeAcceptance({
  measure,
  figure,
  floor,
  lowerIsBetter,
  passed,
  seconds,
  per,
  memoryBytes,
  measuredAt,
}: StoredAcceptance): z.output<typeof acceptanceSchema> {
  return {
    measure,
    figure,
    floor,
    ...(lowerIsBetter && { lower_is_better: true }),
    passed,
    seconds,
    per,
    memory_bytes: memoryBytes,
    measured_at: measuredAt,
  };
}
