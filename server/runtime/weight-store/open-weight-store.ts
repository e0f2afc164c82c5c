import { join } from 'node:path';
import { WEIGHTS } from '../../../models/registry.ts';
import type { Env } from '../../base/env.ts';
import { WeightStore } from './weight-store.ts';

/** Opens the weight store of this machine. */
export function openWeightStore(env: Env): WeightStore {
  return new WeightStore({
    directory: join(env.DATA_DIR, 'models'),
    mirror: env.MODEL_MIRROR ?? null,
    isOffline: env.MODELS_OFFLINE,
    catalogue: WEIGHTS,
    bytesMax: env.MODELS_DISK_MB * 1_000_000,
  });
}
