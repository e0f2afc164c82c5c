import { isCommercial, listFiles } from '../../../../models/core/device/fit.ts';
import { messageOf } from '../../../../models/core/operation/errors.ts';
import type { WeightCard } from '../../../../models/core/runtime/weight-card.ts';
import type { Context } from '../../../base/context/context.ts';
import type { OwnEngine } from '../../../runtime/acceptance/list-all-engines.ts';
import { findEngineAvailability } from '../../../runtime/inference/engine-availability.ts';
import { openWeightStore } from '../../../runtime/weight-store/index.ts';

/** Size of an engine's files together that counts as small. */
const SMALL_BYTES_MAX = 32_000_000;
/** Pause between two lines of the log about a download. */
const REPORT_EVERY_MS = 10_000;

export interface PrefetchOptions {
  readonly signal: AbortSignal;
  /** Called after each engine whose files have arrived. */
  readonly onFetched: () => Promise<void>;
}

/**
 * Lists the engines whose files are fetched before anybody asks: those that may be used commercially, and are small
 * unless all are wanted.
 */
export function listPrefetched(engines: readonly OwnEngine[], wanted: 'small' | 'all' | 'none'): OwnEngine[] {
  if (wanted === 'none') return [];
  return engines.filter(({ engine }) => {
    const files = listFiles(engine).filter(({ url }) => url !== null);
    if (files.length === 0 || !isCommercial(engine)) return false;
    return wanted === 'all' || sizeOf(files) <= SMALL_BYTES_MAX;
  });
}

/** Fetches the files of engines, one after the other, smallest first. What fails is left to whoever asks for it. */
export async function prefetchEngines(
  ctx: Context,
  engines: readonly OwnEngine[],
  { signal, onFetched }: PrefetchOptions,
): Promise<void> {
  const { env, log } = ctx;
  if (env.MODELS_OFFLINE) return;
  const store = openWeightStore(env);
  const wanted = listPrefetched(engines, env.MODELS_PREFETCH).toSorted(
    (one, other) => sizeOf(listFiles(one.engine)) - sizeOf(listFiles(other.engine)),
  );
  for (const { engine } of wanted) {
    signal.throwIfAborted();
    const files = listFiles(engine);
    const stored = await Promise.all(files.map((card) => store.has(card)));
    if (stored.every(Boolean) || !(await findEngineAvailability(ctx, engine)).isAvailable) continue;
    let reportedAtMs = Date.now();
    try {
      await store.fetch(files, {
        signal,
        // What jobs have used stays.
        keepsOthers: true,
        onProgress({ receivedBytes, totalBytes }) {
          if (Date.now() - reportedAtMs < REPORT_EVERY_MS) return;
          reportedAtMs = Date.now();
          log.info({ engine: engine.id, receivedBytes, totalBytes }, 'weights are being fetched');
        },
      });
    } catch (thrown) {
      signal.throwIfAborted();
      log.warn({ engine: engine.id, reason: messageOf(thrown) }, 'weights could not be fetched');
      continue;
    }
    log.info({ engine: engine.id }, 'weights were fetched');
    await onFetched();
  }
}

/** Returns the bytes of files together. One of unknown size counts as large. */
function sizeOf(files: readonly WeightCard[]): number {
  return files.reduce((sum, { bytes }) => sum + (bytes ?? Number.POSITIVE_INFINITY), 0);
}
