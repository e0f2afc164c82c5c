import type { Env } from '../../base/env.ts';
import { AcceptanceStore, createCardMemory } from '../acceptance/index.ts';
import { openWeightStore, type WeightStoreOptions } from '../weight-store/index.ts';
import { NodeInference } from './node-inference.ts';

/**
 * Opens the inference of a process, as its environment configures it. Costs nothing until the first use.
 * @param fetchElsewhere as of `openWeightStore`
 */
export function openInference(
  env: Env,
  fetchElsewhere?: WeightStoreOptions['fetchElsewhere'],
): NodeInference {
  return new NodeInference({
    weights: openWeightStore(env, { fetchElsewhere }),
    endpoints: env.INFERENCE_ENDPOINTS,
    memoryBytesMax: env.INFERENCE_MEMORY_MB * 1_000_000,
    getMemory: createCardMemory(new AcceptanceStore(env)),
    licences: env.MODELS_LICENCES,
  });
}
