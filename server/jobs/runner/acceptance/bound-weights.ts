import type { Context } from '../../../base/context/context.ts';
import { openWeightStore } from '../../../runtime/weight-store/index.ts';

/**
 * Returns a function that deletes the weights beyond the limit that can be fetched again, and logs what was deleted to
 * make room since its last call, whichever process did it. It logs once that weights beyond the limit stay.
 */
export function createWeightBound({
  env,
  log,
}: Pick<Context, 'env' | 'log'>): (signal: AbortSignal) => Promise<void> {
  const store = openWeightStore(env);
  const logged = new Set<string>();
  let keptBytes = 0;
  return async (signal) => {
    try {
      const bytes = await store.trim(signal);
      if (bytes > 0 && keptBytes === 0) {
        log.warn(
          { bytes },
          'weights beyond MODELS_DISK_MB stay: they are in use, or no source can be reached',
        );
      }
      keptBytes = bytes;
      for (const { id, bytes, at } of await store.evictions()) {
        if (logged.has(`${id} ${at}`)) continue;
        logged.add(`${id} ${at}`);
        log.warn({ weights: id, bytes, at }, 'weights were deleted to make room for others');
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err }, 'the room for weights could not be checked');
    }
  };
}
