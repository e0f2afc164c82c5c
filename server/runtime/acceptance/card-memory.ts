import { declaredMemory, listFiles } from '../../../models/core/runtime/fit.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import type { AcceptanceStore } from './acceptance-store.ts';
import { listAllEngines } from './list-all-engines.ts';

/** Returns the memory of a running session of a file, in bytes. */
type CardMemory = (card: WeightCard) => Promise<number>;

/**
 * Returns a function that tells the memory of a file's session: what its card declares, until an engine with it was
 * measured here. Then it is the file's share of what the engine took. Where several engines use it, the largest counts.
 */
export function createCardMemory(acceptances: Pick<AcceptanceStore, 'readMemory'>): CardMemory {
  const engines = listAllEngines();
  return async (card) => {
    const users = engines.filter(({ engine }) =>
      listFiles(engine).some(({ sha256 }) => sha256 === card.sha256),
    );
    const shares = await Promise.all(
      users.map(async ({ operation, engine }) => {
        const memory = await acceptances.readMemory(operation.id, engine);
        // One that failed is not used: the others tell.
        return memory === null ? 0 : (card.memoryBytes * memory.neededBytes) / declaredMemory(engine);
      }),
    );
    return Math.round(Math.max(0, ...shares)) || card.memoryBytes;
  };
}
