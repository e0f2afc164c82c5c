import type { z } from 'zod';
import type { OperationEngine } from '../../../models/device/fit.ts';
import type { Operation } from '../../../models/operation/define-operation.ts';
import { type Context, getOperations } from '../../context.ts';
import {
  findEngineAvailability,
  listFiles,
  listOwnEngines,
} from '../../runtime/inference/engine-availability.ts';
import { jsonResponse } from '../transport/problem.ts';
import { listCategories } from './assert-engines.ts';
import type { engineListSchema, engineSchema } from './engine-schemas.ts';

type EngineView = z.output<typeof engineSchema>;

/** Licence of what has no weights, or weights of our own. */
const OWN_LICENCE = 'Our own';

/** Handles GET /v2/engines: the engines of every operation, and the categories that this installation can judge. */
export async function listEngines(ctx: Context): Promise<Response> {
  const operations = Object.values(getOperations(ctx));
  const [engines, categories] = await Promise.all([
    Promise.all(operations.map((operation) => describeEngines(ctx, operation))),
    Promise.all(operations.map((operation) => listCategories(ctx, operation))),
  ]);
  const body: z.output<typeof engineListSchema> = { engines: engines.flat(), categories: categories.flat() };
  return jsonResponse(200, body);
}

async function describeEngines(ctx: Context, operation: Operation): Promise<EngineView[]> {
  return await Promise.all(
    listOwnEngines(operation).map(async (engine) => {
      const found = await findEngineAvailability(ctx, engine);
      return {
        model_id: operation.id,
        id: engine.id,
        ...describeFiles(engine),
        available: found.isAvailable,
        reason: found.isAvailable ? null : found.reason,
        acceptance: null,
      };
    }),
  );
}

/** Sums up the files of an engine: its licences, the least that they allow, and their bytes. */
function describeFiles(engine: OperationEngine): Pick<EngineView, 'licence' | 'commercial' | 'bytes'> {
  const files = listFiles(engine);
  const licences = new Set(files.map(({ licence }) => licence.name));
  const doubts = files.map(({ licence }) => licence.commercial);
  return {
    licence: licences.size === 0 ? OWN_LICENCE : [...licences].join(', '),
    commercial: (['no', 'unclear'] as const).find((doubt) => doubts.includes(doubt)) ?? 'yes',
    bytes: files.reduce<number | null>(
      (sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes),
      0,
    ),
  };
}
