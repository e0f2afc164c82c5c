import type { z } from 'zod';
import { listFiles, type OperationEngine } from '../../../models/core/device/fit.ts';
import { describeLicences, listOwnEngines } from '../../../models/core/device/own-engines.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { type Context, getOperations } from '../../base/context/context.ts';
import { AcceptanceStore, type StoredAcceptance } from '../../runtime/acceptance/index.ts';
import { findEngineAvailability } from '../../runtime/inference/engine-availability.ts';
import { jsonResponse } from '../transport/problem.ts';
import { listCategories } from './assert-engines.ts';
import type { acceptanceSchema, engineListSchema, engineSchema } from './engine-schemas.ts';

type EngineView = z.output<typeof engineSchema>;

/** Handles GET /v2/engines. */
export async function listEngines(ctx: Context): Promise<Response> {
  return jsonResponse(200, await describeInstallation(ctx));
}

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
