import { WEIGHTS } from '../../../models/registry.ts';
import type { WeightCard } from '../../../models/runtime/weight-card.ts';
import type { Env } from '../../base/env.ts';
import { isLicensed } from '../../runtime/inference/availability.ts';
import { openWeightStore } from '../../runtime/weight-store/index.ts';

/** Returns the memory of the largest model of at most `bytesMax` that an operation can use; 0 when there is none. */
export type LargestModelBytes = (operationId: string, bytesMax?: number) => Promise<number>;

/**
 * Returns a function that reports the memory of the largest model that an operation can use on this machine, in
 * bytes: its weights are stored or can be downloaded, and INFERENCE_MEMORY_MB and `bytesMax` allow it. Runs declare it,
 * whichever model they choose.
 * @param catalog available weights
 */
export function createModelMemory(env: Env, catalog: readonly WeightCard[] = WEIGHTS): LargestModelBytes {
  const store = openWeightStore(env);
  const sessionBytesMax = env.INFERENCE_MEMORY_MB * 1_000_000;
  return async (operationId, bytesMax = Number.POSITIVE_INFINITY) => {
    const limit = Math.min(sessionBytesMax, bytesMax);
    const fitting = catalog.filter(
      (card) =>
        card.operation === operationId && card.memoryBytes <= limit && isLicensed(card, env.MODELS_LICENCES),
    );
    const usable = await Promise.all(
      fitting.map(async (card) =>
        (await store.has(card)) || (await store.hasSource(card)) ? card.memoryBytes : 0,
      ),
    );
    return Math.max(0, ...usable);
  };
}
