import { listFiles } from '../../../models/core/runtime/fit.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import type { Env } from '../../base/env.ts';
import { AcceptanceStore } from '../../runtime/acceptance/index.ts';
import { listAllEngines, type OwnEngine } from '../../runtime/acceptance/list-all-engines.ts';
import { isLicensed } from '../../runtime/inference/engine-availability.ts';
import { openWeightStore } from '../../runtime/weight-store/index.ts';

/**
 * Returns the memory of the largest model of at most `bytesMax` that an operation can use, or of the one that
 * `engineId` names; 0 when there is none.
 */
export type LargestModelBytes = (
  operationId: string,
  bytesMax?: number,
  engineId?: string,
) => Promise<number>;

/**
 * Returns a function that reports the memory of the largest model that an operation can use on this machine, in
 * bytes: its weights are stored or can be downloaded, its engine did not fail its test, and INFERENCE_MEMORY_MB and
 * `bytesMax` allow it. Runs reserve it, whichever model they choose. It counts as measured here with a margin, or else
 * as declared; files that are open at once count together.
 */
export function createModelMemory(env: Env): LargestModelBytes {
  const engines = listAllEngines();
  const store = openWeightStore(env);
  const acceptances = new AcceptanceStore(env);
  const sessionBytesMax = env.INFERENCE_MEMORY_MB * 1_000_000;
  const mayUse = async (card: WeightCard) => (await store.has(card)) || (await store.hasSource(card));
  const getSize = async ({ operation, engine }: OwnEngine, bytesMax: number): Promise<number> => {
    const files = listFiles(engine);
    if (files.length === 0 || !files.every((card) => isLicensed(card, env.MODELS_LICENCES))) return 0;
    const memory = await acceptances.readMemory(operation.id, engine);
    if (!memory || memory.neededBytes > sessionBytesMax || memory.reservedBytes > bytesMax) return 0;
    return (await Promise.all(files.map(mayUse))).every(Boolean) ? memory.reservedBytes : 0;
  };
  return async (operationId, bytesMax = Number.POSITIVE_INFINITY, engineId = undefined) => {
    const own = engines.filter(
      ({ operation, engine }) =>
        operation.id === operationId && (engineId === undefined || engine.id === engineId),
    );
    return Math.max(0, ...(await Promise.all(own.map((each) => getSize(each, bytesMax)))));
  };
}
