import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WeightDownload } from '../../../drizzle/processes.ts';
import { type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
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
  // Every process does so every few seconds, and most weights of the catalogue are on no machine.
  const names = await readdir(weightsDirectory(env)).catch((): string[] => []);
  const isHere = (card: WeightCard) =>
    card.url === null || names.some((name) => name.startsWith(weightFileName(card)));
  const here = WEIGHTS.filter(isHere);
  const store = openWeightStore(env, { catalogue: here });
  const found = await Promise.all(
    here.map(async (card) => ({ id: card.id, bytesTotal: card.bytes, ...(await store.state(card)) })),
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
 * @param options.fetchElsewhere fetches a file in place of this process, which may only read the folder
 * @param options.catalogue the weights that it knows. Defaults to all
 */
export function openWeightStore(
  env: Env,
  {
    fetchElsewhere,
    catalogue = WEIGHTS,
  }: Partial<Pick<WeightStoreOptions, 'fetchElsewhere' | 'catalogue'>> = {},
): WeightStore {
  return new WeightStore({
    fetchElsewhere,
    directory: weightsDirectory(env),
    mirror: env.MODEL_MIRROR ?? null,
    isOffline: env.MODELS_OFFLINE,
    catalogue,
    bytesMax: env.MODELS_DISK_MB * 1_000_000,
  });
}

function weightsDirectory({ DATA_DIR }: Env): string {
  return join(DATA_DIR, 'models');
}
