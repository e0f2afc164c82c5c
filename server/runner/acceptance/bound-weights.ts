import type { Context } from '../../context.ts';
import { openWeightStore } from '../../runtime/weight-store/index.ts';

/**
 * Returns a function that deletes the weights beyond the limit, and logs what was deleted to make room since its last
 * call, whichever process did it.
 */
export function createWeightBound({ env, log }: Pick<Context, 'env' | 'log'>): () => Promise<void> {
  const store = openWeightStore(env);
  const logged = new Set<string>();
  return async () => {
    try {
      await store.trim();
      for (const { id, bytes, at } of await store.evictions()) {
        if (logged.has(`${id} ${at}`)) continue;
        logged.add(`${id} ${at}`);
        log.warn({ weights: id, bytes, at }, 'weights were deleted to make room for others');
      }
    } catch (err) {
      log.warn({ err }, 'the room for weights could not be checked');
    }
  };
}
