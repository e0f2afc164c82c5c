import { join } from 'node:path';
import type { WeightDownload } from '../../../drizzle/processes.ts';
import { WEIGHTS } from '../../../models/registry.ts';
import type { Env } from '../../base/env.ts';
import type { Eviction } from './disk-room.ts';
import { WeightStore, type WeightStoreOptions } from './weight-store.ts';

interface WeightList {
  /** Ids of the weights that are stored on this machine with the right size. */
  readonly stored: readonly string[];
  /** Weights that are being fetched to this machine, in bytes. */
  readonly fetching: readonly WeightDownload[];
  /** Bytes of the downloaded ones together, unfinished ones included. */
  readonly bytes: number;
  /** Those that were deleted to make room and are not back, the last one first. */
  readonly evicted: readonly Eviction[];
}

/** Lists the weights of this machine. */
export async function listWeights(env: Env): Promise<WeightList> {
  const store = openWeightStore(env);
  const found = await Promise.all(
    WEIGHTS.map(async (card) => ({ id: card.id, bytesTotal: card.bytes, ...(await store.state(card)) })),
  );
  const [bytes, evicted] = await Promise.all([store.bytes(), store.evictions()]);
  return {
    bytes,
    evicted,
    stored: found.filter(({ state }) => state === 'whole').map(({ id }) => id),
    fetching: found
      .filter(({ state }) => state === 'partial')
      .map(({ id, bytes, bytesTotal }) => ({ id, bytes, bytesTotal })),
  };
}

/**
 * Opens the weight store of this machine.
 * @param fetchElsewhere fetches a file in place of this process, which may only read the folder
 */
export function openWeightStore(
  env: Env,
  fetchElsewhere?: WeightStoreOptions['fetchElsewhere'],
): WeightStore {
  return new WeightStore({
    fetchElsewhere,
    directory: join(env.DATA_DIR, 'models'),
    mirror: env.MODEL_MIRROR ?? null,
    isOffline: env.MODELS_OFFLINE,
    catalogue: WEIGHTS,
    bytesMax: env.MODELS_DISK_MB * 1_000_000,
  });
}
