import { join } from 'node:path';
import type { Env } from '../../base/env.ts';
import { WeightStore } from './weight-store.ts';

/** Opens the weight store of this machine. */
export function openWeightStore(env: Env): WeightStore {
  return new WeightStore({
    directory: join(env.DATA_DIR, 'models'),
    mirror: env.MODEL_MIRROR ?? null,
    isOffline: env.MODELS_OFFLINE,
  });
}
