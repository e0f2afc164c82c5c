import type { OperationEngine } from '../../../models/device/fit.ts';
import type { Operation } from '../../../models/operation/define-operation.ts';
import type { WeightCard } from '../../../models/runtime/weight-card.ts';
import type { Context } from '../../context.ts';
import { openWeightStore } from '../weight-store/index.ts';
import { findAvailability } from './availability.ts';

/** Whether an engine can run on this installation, now or once its weights are fetched. */
export type EngineAvailability =
  | { readonly isAvailable: true }
  /** `isLasting`: no other time helps, only whoever runs the service. */
  | { readonly isAvailable: false; readonly reason: string; readonly isLasting: boolean };

/** Returns the engines of an operation with all of their files; none for an operation that has only one way. */
export function listOwnEngines({ engines, engineList = engines }: Operation): readonly OperationEngine[] {
  return engineList ?? [];
}

/** Returns the files of an engine; none for a method without a model. */
export function listFiles({ card, companions = [] }: OperationEngine): readonly WeightCard[] {
  return card === null ? [] : [card, ...companions];
}

/**
 * Tells whether this installation has an engine, by the first of its files that is missing.
 * @param endpoints of inference servers, by the id of the weights
 */
export async function findEngineAvailability(
  { env }: Pick<Context, 'env'>,
  engine: OperationEngine,
  endpoints: ReadonlyMap<string, string> = env.INFERENCE_ENDPOINTS,
): Promise<EngineAvailability> {
  const weights = openWeightStore(env);
  const memoryBytesMax = env.INFERENCE_MEMORY_MB * 1_000_000;
  const sources = { weights, endpoints, memoryBytesMax };
  for (const card of listFiles(engine)) {
    if ((await findAvailability(card, sources)) !== 'unavailable') continue;
    if (card.memoryBytes > memoryBytesMax) {
      const megabytes = Math.ceil(card.memoryBytes / 1_000_000);
      const reason = `It needs ${megabytes} MB of memory, and INFERENCE_MEMORY_MB allows ${env.INFERENCE_MEMORY_MB}.`;
      return { isAvailable: false, reason, isLasting: true };
    }
    return (await weights.hasSource(card))
      ? {
          isAvailable: false,
          reason: `Its weights ${card.id} could not be fetched lately.`,
          isLasting: false,
        }
      : { isAvailable: false, reason: `Its weights ${card.id} are missing.`, isLasting: true };
  }
  return { isAvailable: true };
}
