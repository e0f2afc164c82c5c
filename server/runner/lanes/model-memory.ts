import { declaredMemory, listFiles } from '../../../models/device/fit.ts';
import { WEIGHTS } from '../../../models/registry.ts';
import type { WeightCard } from '../../../models/runtime/weight-card.ts';
import type { Env } from '../../base/env.ts';
import { listAllEngines } from '../../runtime/acceptance/list-all-engines.ts';
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
  const models = listModels(catalog);
  const store = openWeightStore(env);
  const sessionBytesMax = env.INFERENCE_MEMORY_MB * 1_000_000;
  return async (operationId, bytesMax = Number.POSITIVE_INFINITY) => {
    const limit = Math.min(sessionBytesMax, bytesMax);
    const fitting = models.filter(
      ({ cards, operation, bytes }) =>
        operation === operationId &&
        bytes <= limit &&
        cards.every((card) => isLicensed(card, env.MODELS_LICENCES)),
    );
    const mayUse = async (card: WeightCard) => (await store.has(card)) || (await store.hasSource(card));
    const usable = await Promise.all(
      fitting.map(async ({ cards, bytes }) =>
        (await Promise.all(cards.map(mayUse))).every(Boolean) ? bytes : 0,
      ),
    );
    return Math.max(0, ...usable);
  };
}

/** Files that are open at once. */
interface Model {
  readonly operation: string;
  readonly cards: readonly WeightCard[];
  readonly bytes: number;
}

/** Lists the files of weights, each by itself or with those that are open beside it. */
function listModels(catalog: readonly WeightCard[]): readonly Model[] {
  const joined = listAllEngines()
    .filter(({ engine }) => engine.areOpenAtOnce)
    .map(({ operation, engine }) => ({
      operation: operation.id,
      cards: listFiles(engine),
      bytes: declaredMemory(engine),
    }));
  const isJoined = (card: WeightCard) => joined.some(({ cards }) => cards.includes(card));
  const single = catalog.filter((card) => !isJoined(card));
  return [
    ...joined,
    ...single.map((card) => ({ operation: card.operation, cards: [card], bytes: card.memoryBytes })),
  ];
}
